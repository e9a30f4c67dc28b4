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

// The attribute `padding`; EXPLICIT only where the op has `explicit_paddings`.
Result<Padding> paddingOf(const KernelContext& context);

// Fills `before` and `output`; input, kernel, stride and dilation are given. Explicit: `before` is
// given too, and `after`.
Status placeWindow(const KernelContext& context, WindowAxis& axis, Padding padding,
                   std::int64_t after = 0);

// strides, dilations and paddings of a convolution over `spatial` axes of NHWC-like data, checked.
struct ConvAttributes {
    std::vector<WindowAxis> axes; // stride, dilation and, where explicit, `before`
    std::vector<std::int64_t> after;
    Padding padding = Padding::Valid;
};
Result<ConvAttributes> convAttributes(const KernelContext& context, std::size_t spatial);

} // namespace lapidary
