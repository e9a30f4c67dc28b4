// SPDX-License-Identifier: Apache-2.0
// SOFTMAX and L2_NORMALIZATION of TFLite on codes of 8 bits, as its reference kernels compute them:
// exponentials, quotients and roots in fixed point.
#include "runner/kernels/tflite/code_operands.h"
#include "runner/kernels/tflite/gemmlowp_fixed_point.h"

#include <bit>

namespace lapidary {
namespace {

using F0 = gemmlowp::FixedPoint<std::int32_t, 0>;
constexpr int differenceBits = 5; // before the point
constexpr int totalBits = 12;

// e^(-d / 2^26) of each distance d of a code to the largest one in its row, and in which distance
// it counts as 0.
struct Exponentials {
    std::array<std::int32_t, 256> of{};
    std::int32_t end = 0;

    explicit Exponentials(double scale)
    {
        constexpr double most = 2147483647.0;
        const FixedFactor factor =
            FixedFactor::of(std::min(scale * (1 << (31 - differenceBits)), most));
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

// A row's numbers of 8 bits, 0 to 255.
template <class T>
void softmaxRow(const Exponentials& exponentials, std::span<const T> x, T* y)
{
    const std::int32_t largest = *std::ranges::max_element(x);
    std::int32_t sum = 0;
    for (const T code : x)
        if (const std::int32_t d = largest - code; d < exponentials.end)
            sum = wrappingSum(sum, roundedShift(exponentials.of[std::size_t(d)], totalBits));
    const int zeros = std::countl_zero(std::uint32_t(sum));
    const auto fraction = std::int32_t((std::uint32_t(sum) << zeros) - (std::uint32_t(1) << 31));
    const F0 inverse = gemmlowp::one_over_one_plus_x_for_x_in_0_1(F0::FromRaw(fraction));
    const int shift = std::clamp(totalBits - zeros + 31 - 8, 0, 31);
    constexpr std::int32_t least = std::numeric_limits<T>::min();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::int32_t d = largest - x[i];
        std::int32_t made = 0;
        if (d < exponentials.end) {
            const F0 product = inverse * F0::FromRaw(exponentials.of[std::size_t(d)]);
            made = std::clamp(roundedShift(product.raw(), shift), 0, 255);
        }
        y[i] = T(made + least);
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
LAPIDARY_KERNEL(_Tflite_SOFTMAX, runSoftmax);

} // namespace lapidary
