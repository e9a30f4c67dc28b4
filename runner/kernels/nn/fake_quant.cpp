// SPDX-License-Identifier: Apache-2.0
// FakeQuantWithMinMaxArgs, Vars, VarsPerChannel: rounds to the levels of a quantized range whose
// limits are moved so that 0 is a level (spec: kernels, A17).
//   scale = (max - min) / (qmax - qmin);  zero = round(clamp(qmin - min / scale))
//   y = floor((clamp(x) - nudgedMin) / scale + 0.5) * scale + nudgedMin
// Their gradients: the incoming gradient goes to the elements inside of the range; that of elements
// below or above it is summed up for min or max.
#include "runner/guard/run_guard.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

struct Levels {
    float low = 0;
    float high = 255;
};

struct FakeQuantRange {
    float min = 0;
    float max = 0;
    float scale = 0;
};

Result<Levels> levelsOf(const KernelContext& context)
{
    const std::int64_t bits = context.intAttr("num_bits", 8);
    if (bits < 2 || bits > 16)
        return context.error("num_bits must be between 2 and 16, but is " + std::to_string(bits));
    return Levels{context.boolAttr("narrow_range") ? 1.0F : 0.0F,
                  float((std::int64_t(1) << bits) - 1)};
}

// Returns the attributes min and max. Fails if they are not in order.
Result<std::pair<float, float>> endsOf(const KernelContext& context)
{
    const float min = context.floatAttr("min", -6);
    const float max = context.floatAttr("max", 6);
    if (!(min < max))
        return context.error("min must be smaller than max, but they are " + std::to_string(min) +
                             " and " + std::to_string(max));
    return std::pair(min, max);
}

FakeQuantRange nudged(float min, float max, const Levels& levels)
{
    const float scale = (max - min) / (levels.high - levels.low);
    const float wanted = levels.low - min / scale;
    const float zero = wanted < levels.low    ? levels.low
                       : wanted > levels.high ? levels.high
                                              : std::round(wanted);
    return {(levels.low - zero) * scale, (levels.high - zero) * scale, scale};
}

float clamped(float x, const FakeQuantRange& range)
{
    const float below = x > range.max ? range.max : x; // NaN stays NaN
    return below < range.min ? range.min : below;
}

float fakeQuantized(float x, const FakeQuantRange& range)
{
    return std::floor((clamped(x, range) - range.min) / range.scale + 0.5F) * range.scale +
           range.min;
}

Result<Value> outputLike(KernelContext& context)
{
    return context.makeOutput(0, DType::Float, context.input(0).dims());
}

Status runArgs(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto ends, endsOf(context));
    const auto [min, max] = ends;
    ASSIGN_OR_RETURN(const auto levels, levelsOf(context));
    ASSIGN_OR_RETURN(auto y, outputLike(context));
    const FakeQuantRange range = nudged(min, max, levels);
    const float inverse = 1 / range.scale;
    std::ranges::transform(
        context.input(0).as<float>(), y.mutableAs<float>().begin(), [&](float x) {
            return std::floor((clamped(x, range) - range.min) * inverse + 0.5F) * range.scale +
                   range.min;
        });
    return Done{};
}

Status runVars(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto levels, levelsOf(context));
    for (std::size_t i = 1; i < 3; ++i)
        if (context.input(i).elements() != 1)
            return context.error("min and max must be scalars, but one is " +
                                 dimsText(context.input(i).dims()));
    ASSIGN_OR_RETURN(auto y, outputLike(context));
    const float min = context.input(1).as<float>()[0];
    const float max = context.input(2).as<float>()[0];
    const bool nothing = min == 0 && max == 0;
    const FakeQuantRange range = nudged(min, max, levels);
    std::ranges::transform(context.input(0).as<float>(), y.mutableAs<float>().begin(),
                           [&](float x) { return nothing ? 0.0F : fakeQuantized(x, range); });
    return Done{};
}

Status runPerChannel(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto levels, levelsOf(context));
    const Value x = context.input(0);
    if (x.rank() < 1)
        return context.error("the input must have at least one dimension");
    const std::int64_t channels = x.dim(x.rank() - 1);
    for (std::size_t i = 1; i < 3; ++i)
        if (context.input(i).dims() != Dims{channels})
            return context.error("min and max must have " + std::to_string(channels) +
                                 " elements, but one is " + dimsText(context.input(i).dims()));
    ASSIGN_OR_RETURN(auto y, outputLike(context));
    for (std::int64_t c = 0; c < channels; ++c) {
        const float min = context.input(1).as<float>()[std::size_t(c)];
        const float max = context.input(2).as<float>()[std::size_t(c)];
        const bool nothing = min == 0 && max == 0;
        const FakeQuantRange range = nudged(min, max, levels);
        for (std::int64_t i = c; i < x.elements(); i += channels)
            y.mutableAs<float>()[std::size_t(i)] =
                nothing ? 0.0F : fakeQuantized(x.as<float>()[std::size_t(i)], range);
    }
    return Done{};
}

// The gradients of one range; its elements are `step` apart.
struct FakeQuantGradient {
    std::span<const float> back;
    std::span<const float> x;
    std::span<float> toX;
    float* toMin;
    float* toMax;
    std::int64_t step = 1;

    void run(std::int64_t first, float min, float max, const Levels& levels) const
    {
        const bool nothing = min == 0 && max == 0;
        const FakeQuantRange range = nudged(min, max, levels);
        float below = 0;
        float above = 0;
        for (auto i = std::size_t(first); i < x.size(); i += std::size_t(step)) {
            stopPoint();
            const bool isInside = nothing || (x[i] >= range.min && x[i] <= range.max);
            toX[i] = isInside ? back[i] : back[i] * 0.0F;
            below += !nothing && x[i] < range.min ? back[i] : 0.0F;
            above += !nothing && x[i] > range.max ? back[i] : 0.0F;
        }
        if (toMin != nullptr)
            toMin[first] = below;
        if (toMax != nullptr)
            toMax[first] = above;
    }
};

Status checkQuantBack(const KernelContext& context)
{
    if (context.input(0).dims() == context.input(1).dims())
        return Done{};
    return context.error("gradients and inputs must have one shape, but are " +
                         dimsText(context.input(0).dims()) + " and " +
                         dimsText(context.input(1).dims()));
}

Status runArgsGradient(KernelContext& context)
{
    RETURN_IF_ERROR(checkQuantBack(context));
    ASSIGN_OR_RETURN(const auto ends, endsOf(context));
    const auto [min, max] = ends;
    ASSIGN_OR_RETURN(const auto levels, levelsOf(context));
    ASSIGN_OR_RETURN(auto y, outputLike(context));
    FakeQuantGradient{context.input(0).as<float>(), context.input(1).as<float>(),
                      y.mutableAs<float>(), nullptr, nullptr}
        .run(0, min, max, levels);
    return Done{};
}

Status runRangeGradient(KernelContext& context, const Dims& range)
{
    RETURN_IF_ERROR(checkQuantBack(context));
    ASSIGN_OR_RETURN(const auto levels, levelsOf(context));
    for (std::size_t i = 2; i < 4; ++i)
        if (context.input(i).dims() != range &&
            !(range.empty() && context.input(i).elements() == 1))
            return context.error("min and max must have the shape " + dimsText(range) +
                                 ", but one is " + dimsText(context.input(i).dims()));
    ASSIGN_OR_RETURN(auto y, outputLike(context));
    ASSIGN_OR_RETURN(auto toMin, context.makeOutput(1, DType::Float, range));
    ASSIGN_OR_RETURN(auto toMax, context.makeOutput(2, DType::Float, range));
    const FakeQuantGradient gradient{
        context.input(0).as<float>(),    context.input(1).as<float>(),    y.mutableAs<float>(),
        toMin.mutableAs<float>().data(), toMax.mutableAs<float>().data(), toMin.elements()};
    for (std::int64_t c = 0; c < toMin.elements(); ++c)
        gradient.run(c, context.input(2).as<float>()[std::size_t(c)],
                     context.input(3).as<float>()[std::size_t(c)], levels);
    return Done{};
}

Status runVarsGradient(KernelContext& context)
{
    return runRangeGradient(context, {});
}

Status runPerChannelGradient(KernelContext& context)
{
    const Value& x = context.input(1);
    if (x.rank() < 1)
        return context.error("the input must have at least one dimension");
    return runRangeGradient(context, {x.dims().back()});
}

} // namespace

LAPIDARY_KERNEL(FakeQuantWithMinMaxArgsGradient, runArgsGradient);
LAPIDARY_KERNEL(FakeQuantWithMinMaxVarsGradient, runVarsGradient);
LAPIDARY_KERNEL(FakeQuantWithMinMaxVarsPerChannelGradient, runPerChannelGradient);
LAPIDARY_KERNEL(FakeQuantWithMinMaxArgs, runArgs);
LAPIDARY_KERNEL(FakeQuantWithMinMaxVars, runVars);
LAPIDARY_KERNEL(FakeQuantWithMinMaxVarsPerChannel, runPerChannel);

} // namespace lapidary
