// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/tflite/wide_code_layer.h"

#include <limits>

namespace lapidary {
namespace {

// Returns the factor, with 15 of its bits, times x, as TFLite does for sums of 64 bits.
std::int64_t timesWide(std::int64_t x, FixedFactor factor)
{
    constexpr std::int32_t largest = 0x7FFF0000;
    constexpr int mostShift = 62;
    const std::int64_t reduced =
        factor.value < largest ? (std::int64_t(factor.value) + (1 << 15)) >> 16 : 0x7FFF;
    const int shift = std::clamp(15 - factor.shift, 1, mostShift);
    const auto product =
        std::int64_t(std::uint64_t(x) * std::uint64_t(reduced) + (std::uint64_t(1) << (shift - 1)));
    return product >> shift;
}

} // namespace

Status checkWideCodes(const KernelContext& context)
{
    const std::size_t count = context.inputCount();
    if (count != 2 && count != 3)
        return context.error("needs data, weights and perhaps a bias, but has " +
                             std::to_string(count) + " inputs");
    if (context.input(0).dtype() != DType::Int16 || context.input(1).dtype() != DType::Int8)
        return context.error("needs data of 16 bits and weights of 8, but has " +
                             dtypeName(context.input(0).dtype()) + " and " +
                             dtypeName(context.input(1).dtype()));
    const DType bias = count == 3 ? context.input(2).dtype() : DType::Int64;
    if (bias != DType::Int64 && bias != DType::Int32)
        return context.error("the bias must be whole numbers, but is " + dtypeName(bias));
    return Done{};
}

Result<WideCodeLayer> WideCodeLayer::of(const KernelContext& context, std::int64_t channels)
{
    ASSIGN_OR_RETURN(const auto in, codeScale(context, "in0"));
    ASSIGN_OR_RETURN(const auto out, codeScale(context, "out"));
    ASSIGN_OR_RETURN(const auto scales, weightScales(context, "in1", channels));
    WideCodeLayer layer;
    layer.m_data = context.input(0).as<std::int16_t>();
    layer.m_weights = context.input(1).as<std::int8_t>();
    for (std::int64_t c = 0; c < channels; ++c) {
        const float scale = scales[scales.size() == 1 ? 0 : std::size_t(c)];
        layer.m_factors.push_back(
            FixedFactor::of(double(in.scale) * double(scale) / double(out.scale)));
    }
    if (context.inputCount() == 3) {
        const Value& bias = context.input(2);
        if (bias.elements() != channels)
            return context.error("a bias of shape " + dimsText(bias.dims()) + " is not one for " +
                                 std::to_string(channels) + " channels");
        const Dims values = bias.integers();
        layer.m_bias.assign(values.begin(), values.end());
        layer.m_isNarrow = bias.dtype() == DType::Int32;
    }
    layer.m_bounds = activatedBounds(context, DType::Int16, out);
    return layer;
}

std::int16_t WideCodeLayer::code(std::int64_t sum, std::int64_t channel) const
{
    const auto c = std::size_t(channel);
    const auto biased =
        std::int64_t(std::uint64_t(sum) + std::uint64_t(m_bias.empty() ? 0 : m_bias[c]));
    const std::int64_t made =
        m_isNarrow ? times(std::int32_t(biased), m_factors[c]) : timesWide(biased, m_factors[c]);
    return std::int16_t(
        std::clamp<std::int64_t>(made, std::int64_t(m_bounds.low), std::int64_t(m_bounds.high)));
}

} // namespace lapidary
