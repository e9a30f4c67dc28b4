// SPDX-License-Identifier: Apache-2.0
// TFLite quantizes the float input of a layer whose weights are stored in 8 bits (dynamic range) to
// codes of 8 bits with a scale for each part of the batch. This op returns the numbers that they
// represent, so that a float layer after it gives the results of TFLite's kernels.
#include "graph_model/base/clamped_cast.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/tflite/code_operands.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

// Rounds to symmetric codes from -127 to 127.
void roundSymmetric(std::span<const float> x, std::span<float> y)
{
    constexpr float most = 127;
    float range = 0;
    for (const float value : x)
        range = std::max(range, std::abs(value));
    const float scale = range / most;
    const float inverse = most / range;
    std::ranges::transform(x, y.begin(), [&](float value) {
        return range == 0 ? 0.0F : std::clamp(std::round(value * inverse), -most, most) * scale;
    });
}

struct Offset {
    float scale = 1;
    std::int32_t zero = 0;
};

// Chooses the code of 0 with the smaller error.
Offset offsetOf(float least, float most)
{
    constexpr double low = -128;
    constexpr double high = 127;
    const double scale = (double(most) - double(least)) / (high - low);
    const double fromLow = low - double(least) / scale;
    const double fromHigh = high - double(most) / scale;
    const bool isLow = std::abs(low) + std::abs(double(least) / scale) <
                       std::abs(high) + std::abs(double(most) / scale);
    return {float(scale),
            clampedTo<std::int32_t>(std::round(std::clamp(isLow ? fromLow : fromHigh, low, high)))};
}

void roundAsymmetric(std::span<const float> x, std::span<float> y)
{
    float least = 0;
    float most = 0;
    for (const float value : x) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    if (least == most) {
        std::ranges::fill(y, 0.0F);
        return;
    }
    const Offset offset = offsetOf(least, most);
    const float inverse = 1 / offset.scale;
    std::ranges::transform(x, y.begin(), [&](float value) {
        const float code =
            std::clamp(std::round(float(offset.zero) + value * inverse), -128.0F, 127.0F);
        return (code - float(offset.zero)) * offset.scale;
    });
}

Status runHybridInput(KernelContext& context)
{
    if (context.inputCount() != 1 || context.input(0).dtype() != DType::Float)
        return context.error("needs one input of floats");
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, DType::Float, x.dims()));
    const std::int64_t length = context.intAttr("part", 0);
    const std::int64_t batch = x.rank() == 0 ? 1 : x.dim(0);
    if (x.elements() == 0)
        return Done{};
    const std::int64_t part = length > 0 ? length : x.elements() / batch;
    if (x.elements() % part != 0)
        return context.error("data of shape " + dimsText(x.dims()) + " has no parts of " +
                             std::to_string(part));
    const bool isSymmetric = context.boolAttr("symmetric");
    const auto from = x.as<float>();
    const auto to = y.mutableAs<float>();
    parallelFor(x.elements() / part, part * 4, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            const auto at = std::size_t(i * part);
            (isSymmetric ? roundSymmetric : roundAsymmetric)(from.subspan(at, std::size_t(part)),
                                                             to.subspan(at, std::size_t(part)));
        }
    });
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(_Tflite_HYBRID_INPUT, runHybridInput);

} // namespace lapidary
