// SPDX-License-Identifier: Apache-2.0
#include "transforms/constants/weight_range.h"

#include "graph_model/tensor/shape.h"
#include "runner/kernels/wide_loop.h"
#include "runner/threads/flush_denormals.h"
#include "runner/threads/parallel_for.h"
#include "transforms/constants/const_node.h"
#include "transforms/constants/float_at.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <mutex>

namespace lapidary {

namespace {

// Keeps several ranges at a time in vectors, since a single range would be a chain of dependent
// operations.
struct Lanes {
    static constexpr std::size_t count = 32;
    std::array<float, count> min{};
    std::array<float, count> max{};
    std::array<std::uint32_t, count> largest{}; // the bits of the magnitude

    Lanes()
    {
        min.fill(FLT_MAX);
        max.fill(-FLT_MAX);
    }
    void add(const char* floats)
    {
        constexpr std::uint32_t magnitude = 0x7FFFFFFF;
        for (std::size_t i = 0; i < count; ++i) {
            const float value = floatAt(floats, i);
            min[i] = value < min[i] ? value : min[i];
            max[i] = max[i] < value ? value : max[i];
            largest[i] = std::max(largest[i], std::bit_cast<std::uint32_t>(value) & magnitude);
        }
    }
};

struct Extremes {
    float min = FLT_MAX;
    float max = -FLT_MAX;
    bool isSpecial = false; // contains NaN or infinity

    void add(const Lanes& lanes)
    {
        constexpr std::uint32_t infinity = 0x7F800000;
        min = std::min(min, std::ranges::min(lanes.min));
        max = std::max(max, std::ranges::max(lanes.max));
        isSpecial |= std::ranges::max(lanes.largest) >= infinity;
    }
};

Extremes extremesOf(const char* floats, std::size_t count)
{
    const KeepDenormals keep;
    Lanes lanes;
    const std::size_t whole = count / Lanes::count;
    wideLoop([&] {
        Lanes some = lanes;
        for (std::size_t i = 0; i < whole; ++i)
            some.add(floats + i * Lanes::count * sizeof(float));
        lanes = some;
    });
    if (const std::size_t done = whole * Lanes::count; done < count) {
        std::array<float, Lanes::count> rest{};
        rest.fill(floatAt(floats, done));
        std::memcpy(rest.data(), floats + done * sizeof(float), (count - done) * sizeof(float));
        lanes.add(reinterpret_cast<const char*>(rest.data()));
    }
    Extremes extremes;
    extremes.add(lanes);
    return extremes;
}

float firstZero(std::string_view floats)
{
    const KeepDenormals keep;
    for (std::size_t i = 0; i < floats.size() / sizeof(float); ++i)
        if (const float value = floatAt(floats.data(), i); value == 0)
            return value;
    return 0;
}

} // namespace

std::optional<WeightRange> weightRange(std::string_view floats)
{
    Extremes all;
    std::mutex mutex;
    const auto count = std::int64_t(floats.size() / sizeof(float));
    parallelFor(count, 1, [&](std::int64_t begin, std::int64_t end) {
        const Extremes some = extremesOf(floats.data() + begin * std::int64_t(sizeof(float)),
                                         std::size_t(end - begin));
        const std::lock_guard lock(mutex);
        all = {std::min(all.min, some.min), std::max(all.max, some.max),
               all.isSpecial || some.isSpecial};
    });
    if (all.isSpecial)
        return std::nullopt;
    // The first zero counts, with its sign.
    return WeightRange{.min = all.min == 0 ? firstZero(floats) : all.min,
                       .max = std::max(all.max, FLT_MIN),
                       .largest = all.max};
}

Rewritten rewriteWeights(const Node& node, std::uint64_t fewest, const UseWeights& use)
{
    const KeepDenormals keep;
    const auto fault = [&](const std::string& what) {
        return Error{ErrorCode::InvalidArgument, std::string(node.name()) + ": " + what};
    };
    if (!node.hasAttr("dtype"))
        return fault("a Const without the attribute dtype");
    if (!node.hasAttr("value"))
        return fault("a Const without the attribute value");
    const auto tensor = node.tensor();
    if (!tensor)
        return fault("its value cannot be decoded: " + tensor.error().message);
    if (node.attr("dtype").asType() != DType::Float || tensor->dtype() != DType::Float)
        return Declined{"it is not float"};
    if (std::uint64_t(tensor->elements()) < fewest)
        return Declined{"it has only " + std::to_string(tensor->elements()) + " elements"};
    const auto values = storedFloatBytes(node);
    if (!values)
        return fault(values.error().message);
    const auto range = weightRange(values->bytes());
    if (!range)
        return Declined{std::string(notFinite)};
    if (!std::isfinite(std::max(range->max, 0.0F) - std::min(range->min, 0.0F)))
        return Declined{"its range is too large for a float"};
    use(values->bytes(), *range);
    return Done{};
}

} // namespace lapidary
