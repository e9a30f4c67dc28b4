// SPDX-License-Identifier: Apache-2.0
// round_weights
//
//   width = (max - min) / num_steps; v' = min + width * (floor((v - min) / width) + 0.5), in float
//
// Rounds constants of 16 and more elements. In the original the maximum falls into a bucket above
// the last one, and the range of negative values ends at 0; within_range prevents both. Declines
// NaN and infinity.
#include "runner/kernels/wide_loop.h"
#include "runner/threads/flush_denormals.h"
#include "runner/threads/parallel_for.h"
#include "transforms/constants/const_node.h"
#include "transforms/constants/float_at.h"
#include "transforms/constants/weight_range.h"
#include "transforms/match/replacement.h"
#include "transforms/pass/one_walk.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <limits>
#include <string_view>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "num_steps",
                  .type = ParameterType::Int32,
                  .defaultText = "256",
                  .help = "number of distinct values to keep"},
    ParameterSpec{.name = "within_range",
                  .type = ParameterType::Bool,
                  .defaultText = "false",
                  .help = "keep all values within the range of the constant; otherwise the largest "
                          "grows by half a step, as in the original"},
};

struct Rounding {
    std::int32_t steps = 256;
    bool staysInRange = false;
};

struct Bounds {
    float min = 0;
    float max = 0;
};

Bounds boundsOf(const WeightRange& range, bool staysInRange)
{
    const float max = staysInRange ? range.largest : range.max;
    if (range.min != max)
        return {range.min, max};
    if (std::abs(range.min) < 1e-6F)
        return {range.min, range.min + 1};
    if (range.min > 0)
        return {range.min, 2 * range.min};
    return {2 * max, max};
}

// Below this limit, truncating to an integer equals std::floor, and is many times as fast.
constexpr std::int32_t mostTruncated = 1 << 24;

struct Steps {
    float min = 0;
    float width = 0;
    float highest = 0; // number of the last step
    bool canTruncate = false;
};

void roundEach(const char* floats, std::size_t count, const Steps& steps, char* rounded)
{
    const KeepDenormals keep;
    wideLoop([=] {
        const float min = steps.min; // copies that the stores do not alias
        const float width = steps.width;
        const float highest = steps.highest;
        const char* const from = floats;
        char* const to = rounded;
        if (steps.canTruncate)
            for (std::size_t i = 0, n = count; i < n; ++i) {
                const auto step = float(std::int32_t((floatAt(from, i) - min) / width));
                putFloat(to, i, min + width * (std::min(step, highest) + 0.5F));
            }
        else
            for (std::size_t i = 0, n = count; i < n; ++i) {
                const float step = std::floor((floatAt(from, i) - min) / width);
                putFloat(to, i, min + width * (std::min(step, highest) + 0.5F));
            }
    });
}

void roundAll(std::string_view floats, const WeightRange& scanned, const Rounding& rounding,
              char* to)
{
    const KeepDenormals keep;
    if (rounding.staysInRange && scanned.min >= scanned.largest) {
        std::ranges::copy(floats, to);
        return;
    }
    const Bounds range = boundsOf(scanned, rounding.staysInRange);
    const float width = (range.max - range.min) / float(rounding.steps);
    const float highest =
        rounding.staysInRange ? float(rounding.steps - 1) : std::numeric_limits<float>::infinity();
    // The result of a division by denormal numbers may not fit into an integer.
    const bool canTruncate = width >= FLT_MIN && rounding.steps < mostTruncated;
    const auto count = std::int64_t(floats.size() / sizeof(float));
    parallelFor(count, 1, [&](std::int64_t begin, std::int64_t end) {
        const std::int64_t offset = begin * std::int64_t(sizeof(float));
        roundEach(floats.data() + offset, std::size_t(end - begin),
                  {range.min, width, highest, canTruncate}, to + offset);
    });
}

Result<EditResult> convert(const GraphPtr& graph, const PassArgs& args, const Job& job,
                           Findings* findings)
{
    Rounding rounding;
    ASSIGN_OR_RETURN(rounding.steps, args.parameters.oneInt32("num_steps", 256));
    ASSIGN_OR_RETURN(rounding.staysInRange, args.parameters.oneBool("within_range", false));
    if (rounding.steps <= 0)
        return Error{ErrorCode::InvalidArgument, "parameter num_steps must be greater than 0"};
    constexpr std::uint64_t fewest = 16;
    ReplaceOptions options{{"Const", {}}, {}, "rounded"};
    options.rewrite = [&](const Graph& g, const Match& match, Replacement& parts) {
        const Node& node = g.node(match.node);
        return rewriteWeights(node, fewest, [&](std::string_view floats, const WeightRange& range) {
            NodeDraft draft = filledConst(std::string(node.name()), DType::Float,
                                          {constDims(node), false}, floats.size(),
                                          [&](char* to) { roundAll(floats, range, rounding, to); });
            for (const Input& input : node.inputs())
                draft.inputs.emplace_back(input.text);
            parts.change(match.node, std::move(draft));
        });
    };
    return replaceOrFind(graph, args, options, job, findings);
}

} // namespace

const Pass passes::roundWeights{
    .name = "round_weights",
    .summary = "Rounds float constants to a few distinct values, so that the file compresses well.",
    .before = "w = Const float, many different values",
    .after = "w = Const float, at most num_steps different values",
    .declines = "Constants that are not float, have fewer than 16 elements, or hold NaN or "
                "infinity.",
    .differences = "Less than one step is refused; the original divides by zero. Control inputs "
                   "are kept. within_range is new.",
    .parameters = parameters,
    .find = OneWalk<convert>::find,
    .run = OneWalk<convert>::run,
    .repeats = true,
};

} // namespace lapidary
