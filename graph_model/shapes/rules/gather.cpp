// SPDX-License-Identifier: Apache-2.0
// Gathering and scattering.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace shape_rules;

void gather(RuleContext& context)
{
    const Shape params = context.rankedAtLeast(context.input(0), 1);
    context.set(0, joined(context.input(1), partOf(params, 1)));
}

void resourceGather(RuleContext& context)
{
    const HandleFacts* handle = variableBehind(context);
    if (handle == nullptr)
        return;
    const std::int64_t batch = context.attrs().integer("batch_dims");
    if (batch < 0 || batch >= std::int64_t(maxRank)) {
        context.fail("batch_dims is " + std::to_string(batch));
        return;
    }
    const Shape params = context.rankedAtLeast(handle->shape, std::size_t(batch) + 1);
    const Shape indices = context.rankedAtLeast(context.input(1), std::size_t(batch));
    context.set(0, joined(joined(partOf(params, 0, batch), partOf(indices, batch)),
                          partOf(params, batch + 1)));
}

void gatherV2(RuleContext& context)
{
    const Shape& indices = context.input(1);
    context.ranked(2, 0);
    const auto axis = context.scalar(2);
    std::int64_t batch = context.attrs().integer("batch_dims");
    if (!axis) {
        const Shape params = context.rankedAtLeast(context.input(0), 1);
        if (!params.unknownRank && !indices.unknownRank)
            context.set(0, unknownDims(params.dims.size() + indices.dims.size() - 1));
        return;
    }
    const auto needed = rankWith(*axis);
    const Shape params =
        needed > maxRank ? unknownShape() : context.rankedAtLeast(context.input(0), needed);
    if (needed > maxRank)
        context.fail("The axis is " + std::to_string(*axis));
    if (params.unknownRank || indices.unknownRank)
        return;
    const auto rank = std::int64_t(params.dims.size());
    const auto indexRank = std::int64_t(indices.dims.size());
    const std::int64_t at = *axis < 0 ? *axis + rank : *axis;
    batch = batch < 0 ? batch + indexRank : batch;
    context.rankedAtLeast(params, std::size_t(std::clamp<std::int64_t>(batch, 0, maxRank)) + 1);
    if (batch < 0 || batch > indexRank) {
        context.fail("batch_dims (" + std::to_string(context.attrs().integer("batch_dims")) +
                     ") does not fit indices of rank " + std::to_string(indexRank));
        return;
    }
    // The kernel refuses batch dimensions that differ.
    const Shape output = joined(partOf(params, 0, at), partOf(indices, batch));
    context.set(0, joined(output, partOf(params, at + 1)));
}

void gatherFrom(RuleContext& context, const Shape& params)
{
    const Shape indices = context.rankedAtLeast(context.input(1), 1);
    const std::int64_t depth = sizeAt(indices, -1);
    if (params.unknownRank || depth == unknownDim)
        return;
    if (depth > std::int64_t(params.dims.size())) {
        context.fail("indices.shape[-1] must be <= params.rank, but saw indices shape: " +
                     shapeText(indices) + " and params shape: " + shapeText(params));
        return;
    }
    context.set(0, joined(partOf(indices, 0, -1), partOf(params, depth)));
}

void gatherNd(RuleContext& context)
{
    gatherFrom(context, context.input(0));
}

void resourceGatherNd(RuleContext& context)
{
    variableBehind(context);
    gatherFrom(context, shapeBehind(context, 0));
}

// Checks that the rows of `updates` fit the elements of `output` that the last axis of `indices`
// selects.
void scatterInto(RuleContext& context, const Shape& output, const Shape& indices,
                 const Shape& updates)
{
    if (elementsOf(context, output) == 0 &&
        (elementsOf(context, indices) > 0 || elementsOf(context, updates) > 0))
        context.fail("Indices and updates specified for empty output shape");
    if (indices.unknownRank || updates.unknownRank || context.failed())
        return;
    const auto outer = std::int64_t(indices.dims.size()) - 1;
    const std::int64_t depth = indices.dims.back();
    if (depth == unknownDim) // the rest is unknown, and TensorFlow does not check it
        return;
    context.merge(partOf(indices, 0, outer), partOf(updates, 0, outer));
    context.merge(partOf(output, depth), partOf(updates, outer));
}

void scatterNd(RuleContext& context)
{
    const Shape indices = context.rankedAtLeast(context.input(0), 1);
    const Shape updates = context.rankedAtLeast(context.input(1), 1);
    const Shape output = context.shapeFrom(2);
    context.set(0, output);
    scatterInto(context, output, indices, updates);
}

// Scatters into a tensor, or into the variable of a reference or handle.
void tensorScatter(RuleContext& context)
{
    const Shape& output = shapeBehind(context, 0);
    const Shape indices = context.rankedAtLeast(context.input(1), 1);
    const Shape updates = context.rankedAtLeast(context.input(2), 1);
    if (context.outputCount() > 0)
        context.set(0, context.input(0));
    scatterInto(context, output, indices, updates);
}

// Each index selects a row of the variable; a scalar may apply to all updates.
void scatterIntoRows(RuleContext& context, const Shape& variable)
{
    const Shape& indices = context.input(1);
    const Shape& updates = context.input(2);
    if (variable.unknownRank || indices.unknownRank || updates.unknownRank || updates.dims.empty())
        return;
    context.merge(updates, joined(indices, partOf(variable, 1)));
}

void scatterRows(RuleContext& context)
{
    context.set(0, context.input(0));
    scatterIntoRows(context, context.input(0));
}

void resourceScatterRows(RuleContext& context)
{
    if (const HandleFacts* variable = variableBehind(context))
        scatterIntoRows(context, variable->shape);
}

// Merges the data of all inputs by their indices. The size is the largest index plus one, which is
// unknown if the indices are.
void dynamicStitch(RuleContext& context)
{
    const std::size_t count = context.inputCount() / 2;
    Shape rest = unknownShape();
    std::int64_t largest = -1;
    bool isKnown = count > 0;
    for (std::size_t i = 0; i < count && !context.failed(); ++i) {
        const Shape& indices = context.input(i);
        const Shape& data = context.input(count + i);
        const auto values = context.allItems(i);
        isKnown = isKnown && values.has_value();
        for (std::size_t k = 0; values && k < values->size(); ++k)
            largest = std::max(largest, (*values)[k]);
        if (indices.unknownRank || data.unknownRank)
            continue;
        const auto rank = std::int64_t(indices.dims.size());
        context.rankedAtLeast(data, indices.dims.size());
        context.merge(indices, partOf(data, 0, rank));
        rest = context.merge(rest, partOf(data, rank));
    }
    std::int64_t size = unknownDim;
    if (isKnown)
        size = largest < 0 ? 0 : sum(context, largest, 1);
    context.set(0, joined({{size}, false}, rest));
}

void dynamicPartition(RuleContext& context)
{
    const Shape& data = context.input(0);
    const Shape& partitions = context.input(1);
    if (data.unknownRank || partitions.unknownRank)
        return;
    context.rankedAtLeast(data, partitions.dims.size());
    const auto rank = std::int64_t(partitions.dims.size());
    context.merge(partOf(data, 0, rank), partitions);
    const Shape rest = partOf(data, rank);
    context.setAll(joined(unknownDims(1), rest));
}

constexpr ShapeRule gatherTable[] = {
    {"DynamicPartition", dynamicPartition},
    {"DynamicStitch", dynamicStitch},
    {"Gather", gather},
    {"GatherNd", gatherNd},
    {"GatherV2", gatherV2},
    {"ParallelDynamicStitch", dynamicStitch},
    {"ResourceGather", resourceGather},
    {"ResourceGatherNd", resourceGatherNd},
    {"ResourceScatterAdd", resourceScatterRows},
    {"ResourceScatterDiv", resourceScatterRows},
    {"ResourceScatterMax", resourceScatterRows},
    {"ResourceScatterMin", resourceScatterRows},
    {"ResourceScatterMul", resourceScatterRows},
    {"ResourceScatterNdAdd", tensorScatter},
    {"ResourceScatterNdSub", tensorScatter},
    {"ResourceScatterNdUpdate", tensorScatter},
    {"ResourceScatterSub", resourceScatterRows},
    {"ResourceScatterUpdate", resourceScatterRows},
    {"ScatterAdd", scatterRows},
    {"ScatterDiv", scatterRows},
    {"ScatterMax", scatterRows},
    {"ScatterMin", scatterRows},
    {"ScatterMul", scatterRows},
    {"ScatterNd", scatterNd},
    {"ScatterNdAdd", tensorScatter},
    {"ScatterNdNonAliasingAdd", tensorScatter},
    {"ScatterNdSub", tensorScatter},
    {"ScatterNdUpdate", tensorScatter},
    {"ScatterSub", scatterRows},
    {"ScatterUpdate", scatterRows},
    {"TensorScatterAdd", tensorScatter},
    {"TensorScatterSub", tensorScatter},
    {"TensorScatterUpdate", tensorScatter},
};

} // namespace

std::span<const ShapeRule> gatherRules()
{
    return gatherTable;
}

} // namespace lapidary
