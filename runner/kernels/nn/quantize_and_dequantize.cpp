// SPDX-License-Identifier: Apache-2.0
// QuantizeAndDequantize, V2, V3: rounds to the levels of a range that is scaled so that 0 is a
// level (spec: kernels, A17). The range is given, or that of the data.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace lapidary {
namespace {

struct Rounding {
    std::int64_t bits = 8;
    bool isSigned = true;
    bool isNarrow = false;
    bool upwards = false; // halves go up, not to even
};

template <class T>
struct Scale {
    T factor = 0;
    T inverse = 0;
    T min = 0;
    T max = 0;
};

template <class T>
Scale<T> scaleOf(T min, T max, const Rounding& rounding)
{
    const std::int64_t half = std::int64_t(1) << (rounding.isSigned ? rounding.bits - 1 : 0);
    const T low = rounding.isSigned ? T(-half + (rounding.isNarrow ? 1 : 0)) : T(0);
    const T high = rounding.isSigned ? T(half - 1) : T((std::int64_t(1) << rounding.bits) - 1);
    const T none = std::numeric_limits<T>::max();
    const T fromMin = low * min > 0 ? low / min : none;
    const T fromMax = high * max > 0 ? high / max : none;
    if (fromMin < fromMax)
        return {fromMin, min / low, min, high * (min / low)};
    return {fromMax, max / high, low * (max / high), max};
}

template <class T>
std::pair<T, T> extremes(std::span<const T> x)
{
    std::pair<T, T> range{x[0], x[0]};
    for (const T value : x) {
        range.first = std::min(range.first, value);
        range.second = std::max(range.second, value);
    }
    return range;
}

// Numbers that are rounded to 0 become +0; -0 itself is kept.
template <class T>
T levelOf(T scaled, const Rounding& rounding)
{
    if (rounding.upwards)
        return std::floor(scaled + T(0.5));
    return scaled == T(0) ? scaled : std::nearbyint(scaled) + T(0);
}

template <class T>
void roundAll(std::span<const T> x, std::span<T> y, std::optional<std::pair<T, T>> given,
              const Rounding& rounding)
{
    if (x.empty())
        return;
    const auto [min, max] = given ? *given : extremes(x);
    const Scale<T> scale = scaleOf(min, max, rounding);
    std::ranges::transform(x, y.begin(), [&](T value) {
        if (given)
            value = std::max(std::min(value, scale.max), scale.min); // min may be above max
        const T scaled = value * scale.factor;
        return levelOf(scaled, rounding) * scale.inverse;
    });
}

Status checkBits(const KernelContext& context, const Rounding& rounding)
{
    if (rounding.bits < 1 || rounding.bits > (rounding.isSigned ? 61 : 62))
        return context.error("num_bits is out of range: " + std::to_string(rounding.bits));
    return Done{};
}

template <class T>
Status apply(KernelContext& context, std::optional<std::pair<T, T>> given, const Rounding& rounding)
{
    if (given && given->first > given->second)
        return context.error("the range's minimum is larger than its maximum");
    const Value x = context.input(0);
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, x.dtype(), x.dims()));
    roundAll<T>(x.as<T>(), y.template mutableAs<T>(), given, rounding);
    return Done{};
}

Status runOld(KernelContext& context)
{
    const Rounding rounding{.bits = context.intAttr("num_bits", 8),
                            .isSigned = context.boolAttr("signed_input", true)};
    RETURN_IF_ERROR(checkBits(context, rounding));
    Status status = Done{};
    dispatch(TypeList<float, double>(), context.input(0).dtype(), [&](auto zero) {
        using T = decltype(zero);
        std::optional<std::pair<T, T>> given;
        if (context.boolAttr("range_given"))
            given.emplace(T(context.floatAttr("input_min")), T(context.floatAttr("input_max")));
        status = apply<T>(context, given, rounding);
    });
    return status;
}

Status runWith(KernelContext& context, const Rounding& rounding, bool isGiven)
{
    RETURN_IF_ERROR(checkBits(context, rounding));
    for (std::size_t i = 1; isGiven && i < 3; ++i)
        if (context.input(i).elements() == 0)
            return context.error("input_min and input_max must not be empty");
    Status status = Done{};
    dispatch(TypeList<float, double>(), context.input(0).dtype(), [&](auto zero) {
        using T = decltype(zero);
        std::optional<std::pair<T, T>> given;
        if (isGiven)
            given.emplace(context.input(1).template as<T>()[0],
                          context.input(2).template as<T>()[0]);
        status = apply<T>(context, given, rounding);
    });
    return status;
}

Status runQuantizeAndDequantizeV2(KernelContext& context)
{
    const Rounding rounding{.bits = context.intAttr("num_bits", 8),
                            .isSigned = context.boolAttr("signed_input", true),
                            .isNarrow = context.boolAttr("narrow_range"),
                            .upwards = context.stringAttr("round_mode") == "HALF_UP"};
    return runWith(context, rounding, context.boolAttr("range_given"));
}

Status runV3(KernelContext& context)
{
    const auto bits = context.input(3).integers();
    if (bits.empty())
        return context.error("num_bits must be a scalar");
    const Rounding rounding{.bits = bits.front(),
                            .isSigned = context.boolAttr("signed_input", true),
                            .isNarrow = context.boolAttr("narrow_range")};
    return runWith(context, rounding, context.boolAttr("range_given", true));
}

} // namespace

LAPIDARY_KERNEL(QuantizeAndDequantize, runOld);
LAPIDARY_KERNEL(QuantizeAndDequantizeV2, runQuantizeAndDequantizeV2);
LAPIDARY_KERNEL(QuantizeAndDequantizeV3, runV3);

} // namespace lapidary
