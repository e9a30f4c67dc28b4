// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/codes.h"

#include <array>
#include <span>
#include <vector>

namespace lapidary {

// QuantizedBiasAdd (spec: kernels, B8): a code of 8 bits and that of a bias move to int32 codes of
// one range and are added.
using CodeTable = std::array<std::int32_t, 256>;

inline CodeRange biasSumRange(CodeRange x, CodeRange bias)
{
    const float largest =
        std::max(std::max(x.max, -x.min), std::max(bias.max, -bias.min)) * 131072.0F;
    return {-largest, largest};
}

// The int32 code of each code, by its bits. T: uint8_t or int8_t.
template <class T>
CodeTable movedTable(CodeRange from, CodeRange to);

// Returns what is added to a channel's codes.
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
