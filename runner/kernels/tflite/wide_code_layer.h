// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/tflite/code_operands.h"

#include <span>
#include <vector>

namespace lapidary {

// A layer of TFLite with data of 16 bits, whose zero point is 0, and weights of 8 bits. Sums have
// 64 bits, or 32 if the bias has 32.
class WideCodeLayer {
public:
    // Makes a layer of `channels` outputs, with data, weights and perhaps a bias as inputs.
    static Result<WideCodeLayer> of(const KernelContext& context, std::int64_t channels);

    // Returns the sum of the products of `count` codes that begin at these indices.
    std::int64_t product(std::int64_t data, std::int64_t weights, std::int64_t count) const
    {
        std::int64_t sum = 0;
        for (std::int64_t i = 0; i < count; ++i)
            sum += std::int64_t(m_data[std::size_t(data + i)]) *
                   std::int64_t(m_weights[std::size_t(weights + i)]);
        return sum;
    }
    // Returns the code of a sum of a channel, with the bias.
    std::int16_t code(std::int64_t sum, std::int64_t channel) const;

private:
    std::span<const std::int16_t> m_data;
    std::span<const std::int8_t> m_weights;
    std::vector<std::int64_t> m_bias; // empty: none
    std::vector<FixedFactor> m_factors;
    CodeBounds m_bounds;
    bool m_isNarrow = false; // sums of 32 bits
};

// Fails if the inputs are not those of such a layer.
Status checkWideCodes(const KernelContext& context);

} // namespace lapidary
