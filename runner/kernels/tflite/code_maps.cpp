// SPDX-License-Identifier: Apache-2.0
// Operators of TFLite that map each 8-bit code to another: each is a table of 256 entries, computed
// as its reference kernels do.
#include "graph_model/portable/portable_model.h"
#include "runner/kernels/tflite/code_operands.h"

#include <numbers>

namespace lapidary {
namespace {

struct Scales {
    CodeScale in;
    CodeScale out;
};

Result<Scales> scalesOf(const KernelContext& context)
{
    RETURN_IF_ERROR(checkCodes(context, 1, {0}));
    ASSIGN_OR_RETURN(const auto in, codeScale(context, "in0"));
    ASSIGN_OR_RETURN(const auto out, codeScale(context, "out"));
    return Scales{in, out};
}

// Sets output 0 to made(code - zero) + the output's zero, clamped to `bounds`.
template <class Made>
Status mapWithin(KernelContext& context, const Scales& scales, CodeBounds bounds, const Made& made)
{
    return mapCodes(context, context.input(0).dtype(), [&](std::int32_t code) {
        return bounds.held(made(code - scales.in.zero) + scales.out.zero);
    });
}

// Sets output 0 to the codes of a function of the numbers.
template <class Function>
Status mapNumbers(KernelContext& context, const Function& function)
{
    ASSIGN_OR_RETURN(const auto scales, scalesOf(context));
    const float inverse = 1 / scales.out.scale;
    const CodeBounds bounds = CodeBounds::of(context.input(0).dtype());
    return mapWithin(context, scales, bounds, [&](std::int32_t value) {
        const float made = function(scales.in.scale * float(value));
        return codeOf(made * inverse, {});
    });
}

Status runLogistic(KernelContext& context)
{
    return mapNumbers(context, [](float x) { return 1.0F / (1.0F + std::exp(-x)); });
}

Status runTanh(KernelContext& context)
{
    return mapNumbers(context, [](float x) { return std::tanh(x); });
}

Status runElu(KernelContext& context)
{
    return mapNumbers(context, [](float x) { return x < 0 ? std::expm1(x) : x; });
}

Status runExp(KernelContext& context)
{
    return mapNumbers(context, [](float x) { return std::exp(x); });
}

// Numbers that are not positive give the least code.
Status runLog(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto scales, scalesOf(context));
    const float least = float(-128 - scales.out.zero) * scales.out.scale;
    return mapNumbers(context, [least](float x) { return x <= 0 ? least : std::log(x); });
}

Status checkNotNegative(const KernelContext& context, CodeScale in)
{
    const bool isNegative = std::ranges::any_of(context.input(0).as<std::int8_t>(),
                                                [&](std::int8_t code) { return code < in.zero; });
    if (isNegative)
        return context.error("a root is taken of a negative number");
    return Done{};
}

// The result is truncated to an integer.
Status runSqrt(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto scales, scalesOf(context));
    RETURN_IF_ERROR(checkNotNegative(context, scales.in));
    return mapWithin(context, scales, CodeBounds::of(context.input(0).dtype()),
                     [&](std::int32_t value) {
                         const float number = scales.in.scale * float(std::max(value, 0));
                         constexpr float most = 1 << 24;
                         const float made = std::sqrt(number) / scales.out.scale;
                         return std::int32_t(std::min(made, most));
                     });
}

Status runGelu(KernelContext& context)
{
    if (!context.boolAttr("approximate"))
        return mapNumbers(context, [](float x) {
            constexpr auto half = float(-1 / std::numbers::sqrt2);
            return 0.5F * x * std::erfc(x * half);
        });
    return mapNumbers(context, [](float x) {
        constexpr auto root = float(2 * std::numbers::inv_sqrtpi / std::numbers::sqrt2);
        return 0.5F * x * (1 + std::tanh(root * (x + 0.044715F * x * x * x)));
    });
}

Status rescale(KernelContext& context, float low, float high)
{
    ASSIGN_OR_RETURN(const auto scales, scalesOf(context));
    CodeBounds bounds = CodeBounds::of(context.input(0).dtype());
    bounds.low = std::max(bounds.low, codeOf(low, scales.out));
    bounds.high = std::max(bounds.low, std::min(bounds.high, codeOf(high, scales.out)));
    const FixedFactor factor = FixedFactor::of(scales.in.scale / scales.out.scale);
    return mapWithin(context, scales, bounds,
                     [&](std::int32_t value) { return times(value, factor); });
}

Status runRelu(KernelContext& context)
{
    return rescale(context, 0, std::numeric_limits<float>::infinity());
}

Status runRelu6(KernelContext& context)
{
    return rescale(context, 0, 6);
}

Status runReluN1To1(KernelContext& context)
{
    return rescale(context, -1, 1);
}

Status runRelu0To1(KernelContext& context)
{
    return rescale(context, 0, 1);
}

Status runLeakyRelu(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto scales, scalesOf(context));
    const float alpha = context.floatAttr("alpha");
    const FixedFactor kept = FixedFactor::of(scales.in.scale / scales.out.scale);
    const FixedFactor sloped =
        FixedFactor::of(scales.in.scale * std::abs(alpha) / scales.out.scale);
    return mapWithin(context, scales, CodeBounds::of(context.input(0).dtype()),
                     [&](std::int32_t value) {
                         if (value >= 0)
                             return times(value, kept);
                         return alpha < 0 ? -times(value, sloped) : times(value, sloped);
                     });
}

Status runAbs(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto scales, scalesOf(context));
    const FixedFactor factor = FixedFactor::of(scales.in.scale / scales.out.scale);
    const bool isSame = scales.in.scale == scales.out.scale;
    return mapWithin(context, scales, CodeBounds::of(context.input(0).dtype()),
                     [&](std::int32_t value) {
                         const std::int32_t positive = std::abs(value);
                         return isSame ? positive : times(positive, factor);
                     });
}

Status runRsqrt(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto scales, scalesOf(context));
    constexpr int bits = 20;
    FixedFactor factor =
        FixedFactor::of(1.0 / double(std::sqrt(scales.in.scale) * scales.out.scale));
    factor.shift = std::clamp(factor.shift - bits, -31, 30);
    const CodeBounds bounds = CodeBounds::of(context.input(0).dtype());
    RETURN_IF_ERROR(checkNotNegative(context, scales.in));
    return mapWithin(context, scales, bounds, [&](std::int32_t value) {
        if (value <= 0)
            return bounds.high - scales.out.zero;
        FixedFactor root = inverseRoot(value);
        root.shift += bits;
        return times(times(1, root), factor);
    });
}

// Returns the upper 16 bits of a factor, rounded.
std::int16_t upperHalf(FixedFactor factor)
{
    constexpr std::int32_t half = 1 << 15;
    if (factor.value >= INT32_MAX - half)
        return INT16_MAX;
    return std::int16_t((factor.value + half) >> 16);
}

std::int16_t shiftedLeft(std::int16_t value, int bits)
{
    return std::int16_t(std::clamp<std::int64_t>(std::int64_t(value) * (std::int64_t(1) << bits),
                                                 INT16_MIN, INT16_MAX));
}

// Returns a * b / 2^15, rounded to the nearest.
std::int16_t doublingHighProduct16(std::int16_t a, std::int16_t b)
{
    if (a == INT16_MIN && b == INT16_MIN)
        return INT16_MAX;
    const std::int32_t product = std::int32_t(a) * b;
    const std::int32_t half = product >= 0 ? 1 << 14 : 1 - (1 << 14);
    return std::int16_t((product + half) / (1 << 15));
}

// Computes x * relu6(x + 3) / 6 in 16 bits: the gate is a number in [0, 1], the product is
// truncated.
class HardSwish {
public:
    explicit HardSwish(const Scales& scales)
    {
        const float fine = (1.0F / 128) * scales.in.scale;
        const FixedFactor output = FixedFactor::of(fine / scales.out.scale);
        const FixedFactor gate = FixedFactor::of(fine / (3.0F / 32768));
        m_output = upperHalf(output);
        m_outputShift = std::clamp(-output.shift, 0, 31);
        m_gate = upperHalf(gate);
        m_gateShift = gate.shift;
    }

    std::int32_t operator()(std::int32_t value) const
    {
        const auto fine = std::int16_t(std::clamp(value * (1 << 7), -32768, 32767));
        const std::int16_t scaled = doublingHighProduct16(fine, m_output);
        const std::int32_t product = scaled * gateOf(fine);
        const auto gated = std::int16_t(product / (1 << 15));
        return roundedShift(gated, m_outputShift);
    }

private:
    std::int16_t gateOf(std::int16_t value) const
    {
        if (m_gateShift > 0)
            value = shiftedLeft(value, m_gateShift - 1);
        value = doublingHighProduct16(value, m_gate);
        if (m_gateShift > 0)
            value = shiftedLeft(value, 1);
        if (m_gateShift < 0)
            value = std::int16_t(roundedShift(value, -m_gateShift));
        return std::int16_t((value + (1 << 15)) >> 1);
    }

    std::int16_t m_output = 0;
    int m_outputShift = 0;
    std::int16_t m_gate = 0;
    int m_gateShift = 0;
};

Status runHardSwish(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto scales, scalesOf(context));
    return mapWithin(context, scales, CodeBounds::of(context.input(0).dtype()), HardSwish(scales));
}

// Inputs with another scale are multiplied by a factor in float.
Status runConcatenation(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto scales, scalesOf(context));
    const float factor = scales.in.scale * (1.0F / scales.out.scale);
    const float bias = float(-scales.in.zero) * factor;
    return mapCodes(context, context.input(0).dtype(), [&](std::int32_t code) {
        return codeOf(float(code) * factor + bias, {}) + scales.out.zero;
    });
}

DType outputType(const KernelContext& context)
{
    return context.typeAttr("out_codes", DType::Int8);
}

// The input is floats, or codes with another scale.
Status runQuantize(KernelContext& context)
{
    if (context.inputCount() < 1)
        return context.error("needs an input");
    const DType dtype = outputType(context);
    if (dtype != DType::Int8 && dtype != DType::UInt8)
        return context.error("makes codes of int8 or uint8, but out_codes is " + dtypeName(dtype));
    const CodeBounds bounds = CodeBounds::of(dtype);
    ASSIGN_OR_RETURN(const auto out, codeScale(context, "out"));
    const Value& x = context.input(0);
    if (x.dtype() != DType::Float) {
        ASSIGN_OR_RETURN(const auto scales, scalesOf(context));
        const FixedFactor factor =
            FixedFactor::of(double(scales.in.scale) / double(scales.out.scale));
        return mapCodes(context, dtype, [&](std::int32_t code) {
            return times(code - scales.in.zero, factor) + out.zero;
        });
    }
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, dtype, x.dims()));
    std::ranges::transform(x.as<float>(), y.mutableAs<std::uint8_t>().begin(), [&](float number) {
        return std::uint8_t(bounds.held(codeOf(number, out)));
    });
    return Done{};
}

template <class T>
Status dequantizeAs(KernelContext& context, const StoredScales& scales, WeightChannels channels)
{
    const auto codes = context.input(0).as<T>();
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, DType::Float, context.input(0).dims()));
    const auto numbers = y.template mutableAs<float>();
    for (std::size_t i = 0; i < codes.size(); ++i) {
        const std::size_t channel = channels.of(i);
        numbers[i] = float(codes[i] - scales.zeroPoints[channel]) * scales.scales[channel];
    }
    return Done{};
}

// The input is a tensor, or weights with a scale for each channel.
Status runDequantize(KernelContext& context)
{
    RETURN_IF_ERROR(checkCodes(context, 1, {0}));
    ASSIGN_OR_RETURN(const auto scales, channelScales(context, "in0"));
    const Value& x = context.input(0);
    const auto channels = channelsAlong(x.dims(), scales.axis, scales.scales.size());
    if (!channels)
        return context.error("has " + std::to_string(scales.scales.size()) +
                             " scales, which do not fit axis " + std::to_string(scales.axis) +
                             " of its input");
    return x.dtype() == DType::Int8 ? dequantizeAs<std::int8_t>(context, scales, *channels)
                                    : dequantizeAs<std::uint8_t>(context, scales, *channels);
}

} // namespace

LAPIDARY_KERNEL(_Tflite_ABS, runAbs);
LAPIDARY_KERNEL(_Tflite_CONCATENATION, runConcatenation);
LAPIDARY_KERNEL(_Tflite_DEQUANTIZE, runDequantize);
LAPIDARY_KERNEL(_Tflite_ELU, runElu);
LAPIDARY_KERNEL(_Tflite_EXP, runExp);
LAPIDARY_KERNEL(_Tflite_GELU, runGelu);
LAPIDARY_KERNEL(_Tflite_HARD_SWISH, runHardSwish);
LAPIDARY_KERNEL(_Tflite_LEAKY_RELU, runLeakyRelu);
LAPIDARY_KERNEL(_Tflite_LOGISTIC, runLogistic);
LAPIDARY_KERNEL(_Tflite_LOG, runLog);
LAPIDARY_KERNEL(_Tflite_QUANTIZE, runQuantize);
LAPIDARY_KERNEL(_Tflite_RELU, runRelu);
LAPIDARY_KERNEL(_Tflite_RELU6, runRelu6);
LAPIDARY_KERNEL(_Tflite_RELU_0_TO_1, runRelu0To1);
LAPIDARY_KERNEL(_Tflite_RELU_N1_TO_1, runReluN1To1);
LAPIDARY_KERNEL(_Tflite_RSQRT, runRsqrt);
LAPIDARY_KERNEL(_Tflite_SQRT, runSqrt);
LAPIDARY_KERNEL(_Tflite_TANH, runTanh);

} // namespace lapidary
