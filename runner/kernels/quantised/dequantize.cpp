// Dequantize: codes to floats in three ways (spec: kernels, B5). 8-bit codes go through a table.
#include "runner/kernels/quantised/elements.h"
#include "runner/kernels/quantised/kernels.h"
#include "runner/kernels/quantised/ranges.h"

#include <array>

namespace lapidary {
namespace {

template <class T, class Op>
void toReals(const KernelContext& context, std::span<float> reals, const Op& op)
{
    const auto codes = context.input(0).as<T>();
    if constexpr (sizeof(T) == 1) {
        std::array<float, 256> table{};
        for (std::int64_t code = lowestCode<T>; code <= highestCode<T>; ++code)
            table[std::uint8_t(code)] = op(T(code));
        mapCodes(context, codes, reals, [&table](T code) { return table[std::uint8_t(code)]; });
    } else {
        mapCodes(context, codes, reals, op);
    }
}

template <class T>
void dequantise(const KernelContext& context, std::string_view mode, CodeRange range,
                std::span<float> reals)
{
    constexpr bool isSigned = std::numeric_limits<T>::is_signed;
    constexpr auto low = float(lowestCode<T>);
    constexpr auto high = float(highestCode<T>);
    if (mode == "MIN_FIRST")
        return toReals<T>(context, reals, Real<T>(range));
    if (mode == "SCALED") {
        const float scale =
            isSigned ? std::max(range.min / low, range.max / high) : range.max / high;
        return toReals<T>(context, reals, [scale](T code) {
            return float(truncatedToInt32(float(code))) * scale; // the highest qint32 wraps
        });
    }
    constexpr float half = isSigned ? -low : 0.0F;
    const float scale = (range.max - range.min) / (high - low);
    toReals<T>(context, reals, [&](T code) { return (float(code) + half) * scale + range.min; });
}

Status run(KernelContext& context)
{
    const std::string mode(context.stringAttr("mode", "MIN_COMBINED"));
    if (mode != "MIN_COMBINED" && mode != "MIN_FIRST" && mode != "SCALED")
        return context.error("mode must be MIN_COMBINED, MIN_FIRST or SCALED, but is '" + mode +
                             "'");
    const auto range = rangeOf(context, 1);
    if (!range)
        return range.error();
    auto reals = context.makeOutput(0, DType::Float, context.input(0).dims());
    if (!reals)
        return reals.error();
    const DType dtype = context.input(0).dtype();
    const bool known = dispatchCodes(dtype, [&](auto zero) {
        using T = decltype(zero);
        dequantise<T>(context, mode, range.value(), reals.value().template mutableAs<float>());
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(dtype));
}

} // namespace

const Kernel kernels::dequantize{.op = "Dequantize", .run = run};

} // namespace lapidary
