// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/codes.h"

#include <array>
#include <span>
#include <vector>

namespace lapidary {

// QuantizedBiasAdd (spec: kernels, B8): an 8-bit code and that of a bias are requantized to int32
// codes of one range and added.
using CodeTable = std::array<std::int32_t, 256>;

inline CodeRange biasSumRange(CodeRange x, CodeRange bias)
{
    const float largest =
        std::max(std::max(x.max, -x.min), std::max(bias.max, -bias.min)) * 131072.0F;
    return {-largest, largest};
}

// Returns the int32 code of each 8-bit code, by its bits. T: uint8_t or int8_t.
template <class T>
CodeTable movedTable(CodeRange from, CodeRange to);

// Returns the number that is added to the codes of each channel.
template <class T>
std::vector<std::int32_t> movedBiases(std::span<const T> biases, CodeRange bias, CodeRange sum)
{
    const CodeTable table = movedTable<T>(bias, sum);
    const std::int32_t zero = nearestCode<std::int32_t>(0, sum);
    std::vector<std::int32_t> added(biases.size());
    std::ranges::transform(biases, added.begin(),
                           [&](T code) { return wrappingSum32(table[std::uint8_t(code)], zero); });
    return added;
}

// Checks inputs 0 and 1: at least two dimensions, and one bias for each index of the last one.
Status checkBiasShapes(const KernelContext& context);

} // namespace lapidary
