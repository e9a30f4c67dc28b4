// SPDX-License-Identifier: Apache-2.0
// SOFTMAX, LOG_SOFTMAX and L2_NORMALIZATION of TFLite on 8-bit codes, as its reference kernels
// compute them: exponentials, logarithms, quotients and roots in fixed point.
#include "runner/kernels/tflite/code_operands.h"
#include "runner/kernels/tflite/gemmlowp_fixed_point.h"

#include <bit>

namespace lapidary {
namespace {

using F0 = gemmlowp::FixedPoint<std::int32_t, 0>;
constexpr int differenceBits = 5; // integer bits of a difference
constexpr int totalBits = 12;

// The exponential e^(-d / 2^26) for each distance of a code from the largest one in its row, and
// the distance from which it counts as 0.
struct Exponentials {
    std::array<std::int32_t, 256> of{};
    std::int32_t end = 0;
    FixedFactor factor;

    explicit Exponentials(double scale)
    {
        constexpr double most = 2147483647.0;
        factor = FixedFactor::of(std::min(scale * (1 << (31 - differenceBits)), most));
        const double farthest = double((1 << differenceBits) - 1) *
                                double(std::int64_t(1) << (31 - differenceBits)) /
                                double(std::int64_t(1) << std::max(factor.shift, 0));
        end = std::int32_t(std::min(std::floor(farthest), 255.0)) + 1;
        using Difference = gemmlowp::FixedPoint<std::int32_t, differenceBits>;
        for (std::int32_t d = 0; d < end; ++d)
            of[std::size_t(d)] =
                gemmlowp::exp_on_negative_values(Difference::FromRaw(times(-d, factor))).raw();
    }
};

// Computes a row of numbers of 8 bits, 0 to 255.
template <class T>
void softmaxRow(const Exponentials& exponentials, std::span<const T> x, T* y)
{
    const std::int32_t largest = *std::ranges::max_element(x);
    std::int32_t sum = 0;
    for (const T code : x)
        if (const std::int32_t d = largest - code; d < exponentials.end)
            sum = wrappingSum(sum, roundedShift(exponentials.of[std::size_t(d)], totalBits));
    const FixedFactor inverse = reciprocal(sum == 0 ? 1 : sum);
    const int shift = std::clamp(totalBits - inverse.shift - 8, 0, 31);
    constexpr std::int32_t least = std::numeric_limits<T>::min();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::int32_t d = largest - x[i];
        std::int32_t made = 0;
        if (d < exponentials.end) {
            const std::int32_t product =
                doublingHighProduct(inverse.value, exponentials.of[std::size_t(d)]);
            made = std::clamp(roundedShift(product, shift), 0, 255);
        }
        y[i] = T(made + least);
    }
}

// Returns x * 2^bits, clamped to 32 bits.
std::int32_t heldShift(std::int32_t x, int bits)
{
    return std::int32_t(std::clamp<std::int64_t>(std::int64_t(x) * (std::int64_t(1) << bits),
                                                 INT32_MIN, INT32_MAX));
}

// Returns the logarithm, with `differenceBits` integer bits, of a number of at least 1 with
// `totalBits` integer bits. The number is scaled near to 1 in two ways, by powers of 2 and by these
// times the root of 2; the nearer one goes into a quotient of polynomials.
std::int32_t logarithm(std::int32_t sum)
{
    constexpr int bits = differenceBits + 1;
    using Wide = gemmlowp::FixedPoint<std::int32_t, bits>;
    const F0 rootOfHalf = F0::FromRaw(1518500250);
    const F0 fourthRootOfHalf = F0::FromRaw(1805811301);
    const F0 logOfTwo = F0::FromRaw(1488522236);
    const std::int32_t quarter = roundedShift(1 << 29, bits);
    const auto power = [&](int zeros) { return heldShift(totalBits - zeros, 31 - bits); };
    const auto held = [](std::int64_t x) {
        return std::int32_t(std::clamp<std::int64_t>(x, INT32_MIN, INT32_MAX));
    };
    const int zeros = std::countl_zero(std::uint32_t(sum));
    const F0 scaled = F0::FromRaw(heldShift(sum, zeros - 1)) * rootOfHalf;
    const std::int32_t first = heldShift(scaled.raw(), 1);
    const std::int32_t firstPower = held(std::int64_t(power(zeros)) + quarter);
    const F0 smaller = F0::FromRaw(sum) * rootOfHalf;
    const int others = std::countl_zero(std::uint32_t(smaller.raw())) - 1;
    const std::int32_t second = heldShift(sum, others);
    const std::int32_t secondPower = held(std::int64_t(power(others)) - quarter);
    const F0 r = F0::FromRaw(std::min(first, second));
    const F0 p = gemmlowp::RoundingHalfSum(r, fourthRootOfHalf);
    const F0 half = r - fourthRootOfHalf;
    const F0 q = half + half;
    const F0 square = q * q;
    const F0 above = q * r + q * square * F0::FromRaw(117049297);
    const F0 below = p * (F0::FromRaw(1057819769) + q + F0::FromRaw(127690142) * square) +
                     F0::FromRaw(638450708) * q;
    const F0 inverse = gemmlowp::one_over_one_plus_x_for_x_in_0_1(below);
    const Wide powers = Wide::FromRaw(std::max(firstPower, secondPower));
    const Wide rest = gemmlowp::Rescale<bits>(above) * inverse;
    return gemmlowp::Rescale<differenceBits>(powers * logOfTwo + rest).raw();
}

// Computes codes in units of 1/16, with 127 for 0.
void logSoftmaxRow(const Exponentials& exponentials, FixedFactor backward,
                   std::span<const std::int8_t> x, std::int8_t* y)
{
    const std::int32_t largest = *std::ranges::max_element(x);
    std::int32_t sum = 0;
    for (const std::int8_t code : x)
        if (const std::int32_t d = largest - code; d < exponentials.end)
            sum = wrappingSum(sum, roundedShift(exponentials.of[std::size_t(d)], totalBits));
    const std::int32_t log = logarithm(std::max(sum, 1));
    const std::int32_t least =
        std::max(-exponentials.end, times(wrappingSum(log, INT32_MIN), backward));
    constexpr int shift = 31 - differenceBits - 4;
    constexpr std::int32_t zero = 127;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::int32_t d = x[i] - largest;
        const std::int32_t made = wrappingSum(times(d, exponentials.factor), -log);
        y[i] =
            std::int8_t(d > least ? std::clamp(roundedShift(made, shift) + zero, -128, 127) : -128);
    }
}

// Calls row(codes, output) for each row along the last axis.
template <class Row>
Status eachRow(KernelContext& context, const Row& row)
{
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, x.dtype(), x.dims()));
    if (x.elements() == 0)
        return Done{};
    const auto size = std::size_t(x.rank() == 0 ? 1 : x.dims().back());
    dispatch(Codes(), x.dtype(), [&](auto kind) {
        using T = decltype(kind);
        const std::span<const T> from = x.as<T>();
        for (std::size_t at = 0; at < from.size(); at += size)
            row(from.subspan(at, size), y.mutableAs<T>().data() + at);
    });
    return Done{};
}

Status runSoftmax(KernelContext& context)
{
    RETURN_IF_ERROR(checkCodes(context, 1, {0}));
    ASSIGN_OR_RETURN(const auto in, codeScale(context, "in0"));
    const Exponentials exponentials(double(context.floatAttr("beta", 1)) * double(in.scale));
    return eachRow(context, [&](auto x, auto* y) { softmaxRow(exponentials, x, y); });
}

Status runLogSoftmax(KernelContext& context)
{
    RETURN_IF_ERROR(checkCodes(context, 1, {0}));
    if (context.input(0).dtype() != DType::Int8)
        return context.error("computes with int8 only");
    ASSIGN_OR_RETURN(const auto in, codeScale(context, "in0"));
    const Exponentials exponentials(in.scale);
    const FixedFactor forward = exponentials.factor;
    const FixedFactor backward = FixedFactor::of(
        double(std::int64_t(1) << (31 - std::max(forward.shift, 0))) / double(forward.value));
    return eachRow(context, [&](auto x, auto* y) {
        if constexpr (std::is_same_v<decltype(y), std::int8_t*>)
            logSoftmaxRow(exponentials, backward, x, y);
    });
}

Status runL2Normalization(KernelContext& context)
{
    RETURN_IF_ERROR(checkCodes(context, 1, {0}));
    ASSIGN_OR_RETURN(const auto in, codeScale(context, "in0"));
    const bool isSigned = context.input(0).dtype() == DType::Int8;
    const CodeBounds bounds = CodeBounds::of(context.input(0).dtype());
    return eachRow(context, [&](auto x, auto* y) {
        std::int32_t sum = 0;
        for (const auto code : x)
            sum = wrappingSum(sum, (code - in.zero) * (code - in.zero));
        const FixedFactor inverse = inverseRoot(std::max(sum, 0));
        constexpr int bits = 7;
        const FixedFactor finer{inverse.value, inverse.shift + bits};
        for (std::size_t i = 0; i < x.size(); ++i) {
            const std::int32_t value = x[i] - in.zero;
            const std::int32_t made =
                isSigned ? times(value, finer) : times(value * (1 << bits), inverse) + (1 << bits);
            y[i] = static_cast<std::remove_reference_t<decltype(*y)>>(bounds.held(made));
        }
    });
}

} // namespace

LAPIDARY_KERNEL(_Tflite_L2_NORMALIZATION, runL2Normalization);
LAPIDARY_KERNEL(_Tflite_LOG_SOFTMAX, runLogSoftmax);
LAPIDARY_KERNEL(_Tflite_SOFTMAX, runSoftmax);

} // namespace lapidary
