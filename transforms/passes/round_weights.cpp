// round_weights
//
//   before:  w = Const float, many different values
//   after:   w = Const float, at most num_steps different values (compresses well)
//
//   width = (max - min) / num_steps; v' = min + width * (floor((v - min) / width) + 0.5), in float
//
// Constants of 16 and more elements. The original lets the maximum fall into a bucket above the
// last one; so do we, because the numbers are compared with it. Declines NaN and infinity.
#include "runner/threads/parallel_for.h"
#include "transforms/match/replacement.h"
#include "transforms/pass/const_node.h"
#include "transforms/pass/weight_range.h"
#include "transforms/passes/passes.h"

#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "num_steps",
                  .type = "int32",
                  .defaultText = "256",
                  .help = "how many different values are left"},
};

constexpr float smallestShared = 1e-25F; // a step that denormal numbers do not change

WeightRange widened(WeightRange range)
{
    if (range.min != range.max)
        return range;
    if (std::abs(range.min) < 1e-6F)
        return {range.min, range.min + 1};
    if (range.min > 0)
        return {range.min, 2 * range.min};
    return {2 * range.max, range.max};
}

// Where truncating to an integer is what std::floor does, and many times as fast.
constexpr std::int32_t mostTruncated = 1 << 24;

void roundEach(std::span<float> values, float min, float width, bool canTruncate)
{
    if (canTruncate)
        for (float& value : values)
            value = min + width * (float(std::int32_t((value - min) / width)) + 0.5F);
    else
        for (float& value : values)
            value = min + width * (std::floor((value - min) / width) + 0.5F);
}

std::vector<float> rounded(std::vector<float> values, const WeightRange& scanned,
                           std::int32_t steps)
{
    const WeightRange range = widened(scanned);
    const float width = (range.max - range.min) / float(steps);
    const bool isShared = width >= smallestShared; // other threads may read denormals as zero
    const auto roundPart = [&](std::int64_t begin, std::int64_t end) {
        roundEach(std::span(values).subspan(std::size_t(begin), std::size_t(end - begin)),
                  range.min, width, isShared && steps < mostTruncated);
    };
    const auto count = std::int64_t(values.size());
    if (isShared)
        parallelFor(count, 1, roundPart);
    else
        roundPart(0, count);
    return values;
}

Result<EditResult> convert(const GraphPtr& graph, const PassArgs& args, const Job& job,
                           Findings* findings)
{
    const auto steps = args.parameters.oneInt32("num_steps", 256);
    if (!steps)
        return steps.error();
    if (steps.value() <= 0)
        return Error{ErrorCode::InvalidArgument, "parameter num_steps must be greater than 0"};
    constexpr std::uint64_t fewest = 16;
    ReplaceOptions options{{"Const", {}}, {}, "rounded"};
    options.rewrite = [&](const Graph& g, const Match& match, Replacement& parts) {
        const Node& node = g.node(match.node);
        return rewriteWeights(
            node, fewest, [&](std::vector<float> values, const WeightRange& range) {
                NodeDraft draft = floatConst(std::string(node.name()), constDims(node),
                                             rounded(std::move(values), range, steps.value()));
                for (const Input& input : node.inputs())
                    draft.inputs.emplace_back(input.text);
                parts.change(match.node, std::move(draft));
            });
    };
    return replaceOrFind(graph, args, options, job, findings);
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    Findings findings;
    const auto edit = convert(graph, args, job, &findings);
    if (!edit)
        return edit.error();
    return findings;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    return convert(graph, args, job, nullptr);
}

} // namespace

const Pass passes::roundWeights{
    .name = "round_weights",
    .summary = "Rounds float constants to a few values, so that the file compresses well.",
    .parameters = parameters,
    .find = find,
    .run = run,
    .repeats = true,
};

} // namespace lapidary
