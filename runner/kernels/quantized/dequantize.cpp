// SPDX-License-Identifier: Apache-2.0
// Dequantize: codes to floats in three ways (spec: kernels, B5).
#include "runner/int8/requantization.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/elements.h"
#include "runner/kernels/quantized/ranges.h"

#include <algorithm>
#include <type_traits>

namespace lapidary {
namespace {

// Dequantizes bytes in mode MIN_FIRST.
void dequantizeBytes(const KernelContext& context, const Real<std::uint8_t>& real,
                     std::span<float> reals)
{
    constexpr std::int64_t block = 1 << 16;
    const auto codes = context.input(0).as<std::uint8_t>();
    parallelFor(std::int64_t(codes.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t at = begin; at < end && !context.job().cancelled(); at += block)
            int8::dequantize(codes.subspan(std::size_t(at), std::size_t(std::min(block, end - at))),
                             real.bias(), real.step(), reals.data() + at);
    });
}

template <class T>
void dequantize(const KernelContext& context, std::string_view mode, CodeRange range,
                std::span<float> reals)
{
    constexpr bool isSigned = std::numeric_limits<T>::is_signed;
    constexpr auto low = float(lowestCode<T>);
    constexpr auto high = float(highestCode<T>);
    const auto codes = context.input(0).as<T>();
    if constexpr (std::is_same_v<T, std::uint8_t>)
        if (mode == "MIN_FIRST")
            return dequantizeBytes(context, Real<T>(range), reals);
    if (mode == "MIN_FIRST")
        return mapCodes(context, codes, reals, Real<T>(range));
    if (mode == "SCALED") {
        const float scale =
            isSigned ? std::max(range.min / low, range.max / high) : range.max / high;
        return mapCodes(context, codes, reals, [scale](T code) {
            if constexpr (sizeof(T) < sizeof(float))
                return float(code) * scale;
            else
                return float(truncatedToInt32(float(code))) * scale; // the highest qint32 wraps
        });
    }
    constexpr float half = isSigned ? -low : 0.0F;
    const float scale = (range.max - range.min) / (high - low);
    const float start = range.min;
    mapCodes(context, codes, reals,
             [scale, start](T code) { return (float(code) + half) * scale + start; });
}

Status runDequantize(KernelContext& context)
{
    const std::string mode(context.stringAttr("mode", "MIN_COMBINED"));
    if (mode != "MIN_COMBINED" && mode != "MIN_FIRST" && mode != "SCALED")
        return context.error("mode must be MIN_COMBINED, MIN_FIRST or SCALED, but is '" + mode +
                             "'");
    ASSIGN_OR_RETURN(const auto range, rangeOf(context, 1));
    ASSIGN_OR_RETURN(auto reals, context.makeOutput(0, DType::Float, context.input(0).dims()));
    const DType dtype = context.input(0).dtype();
    const bool known = dispatchCodes(dtype, [&](auto zero) {
        using T = decltype(zero);
        dequantize<T>(context, mode, range, reals.template mutableAs<float>());
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(dtype));
}

} // namespace

LAPIDARY_KERNEL(Dequantize, runDequantize);

} // namespace lapidary
