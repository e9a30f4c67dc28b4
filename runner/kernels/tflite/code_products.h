// SPDX-License-Identifier: Apache-2.0
// What operators of TFLite with weights share: sums of products of codes, and the code of a sum.
#pragma once

#include "runner/kernels/tflite/code_operands.h"

#include <vector>

namespace lapidary {

// Where the operands of a layer stand.
struct LayerSlots {
    std::size_t data = 0;
    std::size_t weights = 1;
    std::size_t bias = 2;
};

// The codes of a layer's inputs without their zero points, and how its sums become codes.
class CodeLayer {
public:
    // Of `channels` outputs. `isNarrow`: the zero point of signed weights is 0 whatever the file
    // says, and each channel has a factor of its own, in double precision.
    static Result<CodeLayer> of(const KernelContext& context, LayerSlots slots,
                                std::int64_t channels, bool isNarrow);

    const std::int16_t* data() const { return m_data.all().data(); }
    const std::int16_t* weights() const { return m_weights.all().data(); }
    DType dtype() const { return m_dtype; }
    // The code of a sum of that channel, with the bias.
    std::uint8_t code(std::int32_t sum, std::int64_t channel) const
    {
        const auto c = std::size_t(channel);
        const std::int32_t biased = m_bias.empty() ? sum : wrappingSum(sum, m_bias[c]);
        const FixedFactor factor = m_factors[m_factors.size() == 1 ? 0 : c];
        return std::uint8_t(m_bounds.held(times(biased, factor) + m_zero));
    }

private:
    CodeLayer(Scratch<std::int16_t> data, Scratch<std::int16_t> weights)
        : m_data(std::move(data))
        , m_weights(std::move(weights))
    {
    }

    Scratch<std::int16_t> m_data;
    Scratch<std::int16_t> m_weights;
    std::span<const std::int32_t> m_bias;
    std::vector<FixedFactor> m_factors;
    CodeBounds m_bounds;
    std::int32_t m_zero = 0;
    DType m_dtype = DType::Int8;
};

} // namespace lapidary
