// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace lapidary {

// One spatial axis of a sliding window (spec: kernels, A3.1).
struct WindowAxis {
    std::int64_t input = 0;
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t before = 0; // padding in front
    std::int64_t output = 0;

    std::int64_t reach() const { return (kernel - 1) * dilation + 1; }
};

enum class Padding : std::uint8_t { Same, Valid, Explicit };

// Returns the attribute `padding`; EXPLICIT only if the op has `explicit_paddings`.
Result<Padding> paddingOf(const KernelContext& context);

// Fills in `before` and `output`; input, kernel, stride and dilation are given. With
// Padding::Explicit, `before` and `after` are given, too.
Status placeWindow(const KernelContext& context, WindowAxis& axis, Padding padding,
                   std::int64_t after = 0);

// The strides, dilations and paddings of a convolution, for each spatial axis.
struct ConvAttributes {
    std::vector<WindowAxis> axes; // stride, dilation and, if padding is Explicit, `before`
    std::vector<std::int64_t> after;
    Padding padding = Padding::Valid;
};
// Reads and checks them for a convolution over `spatial` axes of NHWC-like data.
Result<ConvAttributes> convAttributes(const KernelContext& context, std::size_t spatial);

} // namespace lapidary
