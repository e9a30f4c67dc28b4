// SPDX-License-Identifier: Apache-2.0
// Shared parts of operators of TFLite with weights: sums of products of codes, and the code of a
// sum.
#pragma once

#include "graph_model/base/clamped_cast.h"
#include "runner/kernels/tflite/code_operands.h"

#include <vector>

namespace lapidary {

// The indices of a layer's inputs.
struct LayerSlots {
    std::size_t data = 0;
    std::size_t weights = 1;
    std::size_t bias = 2;
};

// The conversion of the sums of signed codes to codes. Convolution: by a fixed-point factor for
// each channel; the zero point of weights is 0 whatever the file says. Dense: by a factor in double
// precision, which rounds once. Product: by one fixed-point factor for all channels (also for
// convolutions of unsigned codes).
enum class LayerKind : std::uint8_t { Convolution, Dense, Product };

// The codes of a layer's inputs minus their zero points, and the conversion of its sums to codes.
class CodeLayer {
public:
    // Reads the inputs of a layer with that number of output channels.
    static Result<CodeLayer> of(const KernelContext& context, LayerSlots slots,
                                std::int64_t channels, LayerKind kind);

    const std::int16_t* data() const { return m_data.all().data(); }
    const std::int16_t* weights() const { return m_weights.all().data(); }
    DType dtype() const { return m_dtype; }
    // Returns the quantized value of a sum of that channel, with the bias.
    std::uint8_t code(std::int32_t sum, std::int64_t channel) const
    {
        const auto c = std::size_t(channel);
        const std::int32_t biased = m_bias.empty() ? sum : wrappingSum(sum, m_bias[c]);
        const std::size_t place = m_units.size() == 1 ? 0 : c;
        const std::int32_t made =
            m_isReal ? rounded(double(biased) * m_units[place]) : times(biased, m_factors[place]);
        return std::uint8_t(m_bounds.held(made + m_zero));
    }

private:
    CodeLayer(Scratch<std::int16_t> data, Scratch<std::int16_t> weights)
        : m_data(std::move(data))
        , m_weights(std::move(weights))
    {
    }

    static std::int32_t rounded(double value)
    {
        constexpr double most = 1 << 24; // far beyond all codes
        return clampedTo<std::int32_t>(std::clamp(std::round(value), -most, most));
    }

    Scratch<std::int16_t> m_data;
    Scratch<std::int16_t> m_weights;
    std::span<const std::int32_t> m_bias;
    std::vector<double> m_units; // step of a sum divided by that of the output
    std::vector<FixedFactor> m_factors;
    bool m_isReal = false;
    CodeBounds m_bounds;
    std::int32_t m_zero = 0;
    DType m_dtype = DType::Int8;
};

} // namespace lapidary
