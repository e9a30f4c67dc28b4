// SPDX-License-Identifier: Apache-2.0
// Reductions over axes, positions of extremes, the k largest, running sums.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace shape_rules;

constexpr std::int32_t firstVersionOfStrictAxes = 21;

std::optional<std::vector<bool>> reducedAxes(RuleContext& context, std::size_t rank)
{
    const auto axes = context.allItems(1);
    if (!axes)
        return std::nullopt;
    std::vector<bool> isReduced(rank, false);
    const auto limit = std::int64_t(rank);
    for (const std::int64_t axis : *axes) {
        if (axis < -limit || axis >= limit) {
            context.fail("Invalid reduction dimension " + std::to_string(axis) +
                         " for input with " + std::to_string(rank) + " dimensions.");
            return std::nullopt;
        }
        isReduced[std::size_t(axis < 0 ? axis + limit : axis)] = true;
    }
    return isReduced;
}

void reduce(RuleContext& context)
{
    if (context.producer() >= firstVersionOfStrictAxes)
        context.rankedAtMost(context.input(1), 1);
    const Shape& input = context.input(0);
    if (input.unknownRank)
        return;
    const bool keeps = context.attrs().flag("keep_dims");
    const auto isReduced = reducedAxes(context, input.dims.size());
    if (!isReduced) {
        if (keeps)
            context.set(0, unknownDims(input.dims.size()));
        else if (input.dims.empty())
            context.set(0, Shape{});
        return;
    }
    Shape output;
    for (std::size_t i = 0; i < input.dims.size(); ++i) {
        if (!(*isReduced)[i])
            output.dims.push_back(input.dims[i]);
        else if (keeps)
            output.dims.push_back(1);
    }
    context.set(0, output);
}

void argument(RuleContext& context)
{
    context.ranked(1, 0);
    const Shape& input = context.input(0);
    if (input.unknownRank)
        return;
    if (input.dims.size() <= 1) {
        context.set(0, Shape{});
        return;
    }
    if (!context.scalar(1)) {
        context.set(0, unknownDims(input.dims.size() - 1));
        return;
    }
    if (const auto axis = axisFrom(context, 1, input)) {
        Shape output = input;
        output.dims.erase(output.dims.begin() + std::ptrdiff_t(*axis));
        context.set(0, output);
    }
}

void largest(RuleContext& context, std::int64_t count)
{
    const Shape input = context.rankedAtLeast(context.input(0), 1);
    const std::int64_t last = sizeAt(input, -1);
    if (last >= 0 && count >= 0 && last < count)
        context.fail("input must have last dimension >= k = " + std::to_string(count) + " but is " +
                     std::to_string(last));
    context.setAll(withDim(input, -1, count));
}

void topK(RuleContext& context)
{
    largest(context, context.attrs().integer("k"));
}

void topKV2(RuleContext& context)
{
    largest(context, context.sizeFrom(1));
}

void where(RuleContext& context)
{
    const Shape& input = context.input(0);
    const std::int64_t rank = input.unknownRank ? unknownDim : std::int64_t(input.dims.size());
    context.set(0, {{unknownDim, rank}, false});
}

void unique(RuleContext& context)
{
    context.setAll(unknownDims(1));
    context.set(1, context.input(0));
}

void uniqueV2(RuleContext& context)
{
    const Shape& input = context.input(0);
    context.set(0, input.unknownRank ? unknownShape() : unknownDims(input.dims.size()));
    context.set(1, unknownDims(1));
    if (context.outputCount() > 2)
        context.set(2, unknownDims(1));
    const auto axes = context.allItems(1);
    if (input.unknownRank || !axes || axes->size() > 1)
        return;
    if (axes->empty()) {
        if (input.dims.size() == 1)
            context.set(1, input);
        return;
    }
    const auto rank = std::int64_t(input.dims.size());
    const std::int64_t axis = axes->front() < 0 ? axes->front() + rank : axes->front();
    if (axis < 0 || axis >= rank) // the kernel refuses it
        return unique(context);
    context.set(0, withDim(input, axis, unknownDim));
    context.set(1, {{input.dims[std::size_t(axis)]}, false});
}

void listDiff(RuleContext& context)
{
    context.ranked(0, 1);
    context.ranked(1, 1);
    context.setAll(unknownDims(1));
}

void bincount(RuleContext& context)
{
    context.set(0, {{context.sizeFrom(1)}, false});
}

// Returns the shape of counts: a row for each row of a matrix, or one for a vector.
Shape rowsOfCounts(const Shape& counted, std::int64_t size)
{
    if (counted.unknownRank)
        return unknownShape();
    return joined(partOf(counted, 0, counted.dims.size() == 2 ? 1 : 0), {{size}, false});
}

void denseBincount(RuleContext& context)
{
    const Shape input = context.rankedAtMost(context.input(0), 2);
    context.set(0, rowsOfCounts(input, context.sizeFrom(1)));
}

void sparseBincount(RuleContext& context)
{
    const Shape shape = context.rankedAtMost(context.shapeFrom(2), 2);
    context.set(0, rowsOfCounts(shape, context.sizeFrom(3)));
}

void raggedBincount(RuleContext& context)
{
    const std::int64_t splits = context.ranked(0, 1).dims[0];
    context.set(0, {{splits < 1 ? unknownDim : splits - 1, context.sizeFrom(2)}, false});
}

void inTopK(RuleContext& context)
{
    const Shape predictions = context.ranked(0, 2);
    const Shape targets = context.ranked(1, 1);
    context.set(0, {{context.merge(predictions.dims[0], targets.dims[0])}, false});
}

void bounds(RuleContext& context)
{
    context.set(0, context.ranked(1, 2));
}

void nthElement(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 1);
    const std::int64_t n = context.sizeFrom(1);
    const std::int64_t last = sizeAt(input, -1);
    if (n >= 0 && last >= 0 && last <= n)
        context.fail("Input must have last dimension > n = " + std::to_string(n) + " but is " +
                     std::to_string(last));
    context.set(0, partOf(input, 0, -1));
}

constexpr ShapeRule reductionTable[] = {
    {"All", reduce},           {"Any", reduce},
    {"ArgMax", argument},      {"ArgMin", argument},
    {"Bincount", bincount},    {"Cumprod", same},
    {"Cumsum", same},          {"DenseBincount", denseBincount},
    {"EuclideanNorm", reduce}, {"InTopK", inTopK},
    {"InTopKV2", inTopK},      {"L2Loss", scalars},
    {"ListDiff", listDiff},    {"LowerBound", bounds},
    {"Max", reduce},           {"Mean", reduce},
    {"Min", reduce},           {"NthElement", nthElement},
    {"Prod", reduce},          {"RaggedBincount", raggedBincount},
    {"ReduceJoin", reduce},    {"SparseBincount", sparseBincount},
    {"Sum", reduce},           {"TopK", topK},
    {"TopKV2", topKV2},        {"Unique", unique},
    {"UniqueV2", uniqueV2},    {"UniqueWithCounts", unique},
    {"UpperBound", bounds},    {"UniqueWithCountsV2", uniqueV2},
    {"Where", where},
};

} // namespace

std::span<const ShapeRule> reductionRules()
{
    return reductionTable;
}

} // namespace lapidary
