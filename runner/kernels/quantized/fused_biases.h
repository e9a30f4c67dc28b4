// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/int8/requantization.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/biases.h"

#include <limits>

namespace lapidary {

// The numbers that a QuantizedBiasAdd in a fused node adds to 8-bit codes.
struct FusedBiases {
    CodeRange x; // of the codes
    CodeRange sum;
    CodeTable table{};
    std::vector<std::int32_t> added; // number that is added to each channel's codes

    // Reads the inputs `bias`, `range` and `range` + 1. Fails if there is not one bias for each
    // channel.
    static Result<FusedBiases> of(const KernelContext& context, std::size_t bias, std::size_t range,
                                  CodeRange x, std::int64_t channels);

    // Returns whether sums cannot wrap and never get smaller with larger codes.
    bool isMonotone() const;
    std::int32_t sumOf(std::uint8_t code, std::size_t channel) const
    {
        return wrappingSum32(table[code], added[channel]);
    }
    // Returns the range of all sums, given the smallest and the largest code of each channel.
    int8::Range32 sumsOf(std::span<const std::uint8_t> least,
                         std::span<const std::uint8_t> most) const;
    int8::Shift shift() const;
};

// The range of the sums that were included; without any, its ends are the limits of int32, the
// larger one first.
class SumRange {
public:
    void include(std::int32_t sum)
    {
        m_range = {std::min(m_range.least, sum), std::max(m_range.most, sum)};
    }
    int8::Range32 range() const { return m_range; }

private:
    int8::Range32 m_range{std::numeric_limits<std::int32_t>::max(),
                          std::numeric_limits<std::int32_t>::lowest()};
};

} // namespace lapidary
