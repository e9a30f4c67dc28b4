// SPDX-License-Identifier: Apache-2.0
// QuantizeV2: floats to codes in three ways (spec: kernels, B4). The range is first extended to
// include 0 and to be at least a hundredth of its larger end.
#include "runner/int8/requantization.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/elements.h"
#include "runner/kernels/quantized/fused_codes.h"
#include "runner/kernels/quantized/ranges.h"

#include <limits>
#include <mutex>
#include <type_traits>

namespace lapidary {
namespace {

// Extends the range. If one end is NaN, the result is that of std::min and std::max.
CodeRange widened(CodeRange asked)
{
    CodeRange range;
    range.min = std::min(0.0F, asked.min);
    const float larger = std::max(std::fabs(asked.min), std::fabs(asked.max));
    const float least = std::max(1.0F, larger) / 100.0F;
    range.max = std::max(asked.max, range.min + least);
    range.max = std::max(0.0F, range.max);
    return range;
}

float held(float x, CodeRange range)
{
    const float below = range.max < x ? range.max : x;
    return below < range.min ? range.min : below;
}

// NaN becomes 0; numbers beyond the highest qint32 become the lowest, as x86 converts.
template <class T>
T integralCode(float value)
{
    return std::isnan(value) ? T(0) : T(truncatedToInt32(value));
}

// Computes code = (x - min) * scale, from the lowest code on.
template <class T>
class Combined {
public:
    explicit Combined(CodeRange range)
        : m_range(range)
        , m_scale(float(double(highestCode<T> - lowestCode<T>) / double(range.max - range.min)))
    {
    }

    T operator()(float x) const
    {
        const float place = (held(x, m_range) - m_range.min) * m_scale;
        if constexpr (std::numeric_limits<T>::is_signed)
            return integralCode<T>(std::round(place + float(lowestCode<T>)));
        else
            return integralCode<T>(place + 0.5F);
    }

private:
    CodeRange m_range;
    float m_scale;
};

// Computes code = x * scale: 0 is code 0. The range becomes that of all codes.
template <class T>
class Scaled {
public:
    Scaled(CodeRange range, bool toEven)
        : m_toEven(toEven)
    {
        const auto low = float(lowestCode<T>);
        const auto high = float(highestCode<T>);
        constexpr float none = std::numeric_limits<float>::max();
        m_scale = std::min(low * range.min > 0 ? low / range.min : none,
                           high * range.max > 0 ? high / range.max : none);
        m_range = {low / m_scale, high / m_scale};
    }

    CodeRange range() const { return m_range; }
    T operator()(float x) const
    {
        const float place = held(x, m_range) * m_scale;
        return integralCode<T>(m_toEven ? std::nearbyint(place) : std::round(place));
    }

private:
    bool m_toEven;
    float m_scale = 1;
    CodeRange m_range;
};

enum class Mode : std::uint8_t { Combined, First, Scaled, ScaledToEven };

Result<Mode> modeOf(const KernelContext& context)
{
    const std::string mode(context.stringAttr("mode", "MIN_COMBINED"));
    const std::string rounding(context.stringAttr("round_mode", "HALF_AWAY_FROM_ZERO"));
    if (mode != "MIN_COMBINED" && mode != "MIN_FIRST" && mode != "SCALED")
        return context.error("mode must be MIN_COMBINED, MIN_FIRST or SCALED, but is '" + mode +
                             "'");
    if (rounding != "HALF_AWAY_FROM_ZERO" && rounding != "HALF_TO_EVEN")
        return context.error("round_mode must be HALF_AWAY_FROM_ZERO or HALF_TO_EVEN, but is '" +
                             rounding + "'");
    const bool toEven = rounding == "HALF_TO_EVEN";
    if (mode == "SCALED")
        return toEven ? Mode::ScaledToEven : Mode::Scaled;
    if (toEven)
        return context.error(
            "round_mode HALF_TO_EVEN goes with the mode SCALED only, but mode is " + mode);
    return mode == "MIN_FIRST" ? Mode::First : Mode::Combined;
}

// Writes the codes and returns their range.
template <class T>
CodeRange quantize(const KernelContext& context, Mode mode, CodeRange range, std::span<T> codes)
{
    const auto x = context.input(0).as<float>();
    if (mode == Mode::Combined) {
        mapCodes(context, x, codes, Combined<T>(range));
        return range;
    }
    if (mode == Mode::First) {
        const Code<T> code(range);
        if constexpr (std::is_same_v<T, std::uint8_t>)
            parallelFor(std::int64_t(x.size()), 1, [&](std::int64_t begin, std::int64_t end) {
                int8::quantize(x.subspan(std::size_t(begin), std::size_t(end - begin)),
                               code.scale(), code.offset(), codes.data() + begin);
            });
        else
            mapCodes(context, x, codes, code);
        return range;
    }
    const Scaled<T> scaled(range, mode == Mode::ScaledToEven);
    mapCodes(context, x, codes, scaled);
    return scaled.range();
}

// Returns the smallest and the largest number without NaN; infinity and -infinity if there is none.
CodeRange rangeInUse(std::span<const float> x)
{
    constexpr float infinity = std::numeric_limits<float>::infinity();
    int8::RealRange all{infinity, -infinity};
    std::mutex guard;
    parallelFor(std::int64_t(x.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        int8::RealRange part{infinity, -infinity};
        int8::include(x.subspan(std::size_t(begin), std::size_t(end - begin)), part);
        const std::lock_guard lock(guard);
        all = {std::min(all.least, part.least), std::max(all.most, part.most)};
    });
    return {all.least, all.most};
}

Status runWith(KernelContext& context, const Result<CodeRange>& asked)
{
    ASSIGN_OR_RETURN(const auto mode, modeOf(context));
    RETURN_IF_ERROR(asked);
    if (asked->max < asked->min)
        return context.error("max_range must not be smaller than min_range");
    const DType dtype = context.typeAttr("T");
    ASSIGN_OR_RETURN(auto codes, context.makeOutput(0, dtype, context.input(0).dims()));
    CodeRange range = widened(*asked);
    const bool known = dispatchCodes(dtype, [&](auto zero) {
        using T = decltype(zero);
        range = quantize<T>(context, mode, range, codes.template mutableAs<T>());
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(dtype));
    return setRange(context, range);
}

Status runQuantizeV2(KernelContext& context)
{
    return runWith(context, rangeOf(context, 1));
}

Status runInUse(KernelContext& context)
{
    const DType dtype = context.input(0).dtype();
    if (dtype != DType::Float)
        return context.error("its input 0 is " + dtypeName(dtype) + ", not float");
    // The node that computed the input may have found its range.
    const bool isKnown = context.inputCount() == 3;
    return runWith(context,
                   isKnown ? rangeOf(context, 1) : rangeInUse(context.input(0).as<float>()));
}

} // namespace

LAPIDARY_KERNEL(QuantizeV2, runQuantizeV2);
LAPIDARY_KERNEL(_LapidaryQuantize, runInUse);

} // namespace lapidary
