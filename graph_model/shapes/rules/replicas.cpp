// SPDX-License-Identifier: Apache-2.0
// Work spread over replicas and hosts, and requests that are gathered into batches.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace shape_rules;

// The number of gathered requests is unknown before the run.
Shape withoutBatch(RuleContext& context, const Shape& input)
{
    return withDim(context.rankedAtLeast(input, 1), 0, unknownDim);
}

// Sets the tensors of many requests, the owners of rows, and a number for the batch.
void batch(RuleContext& context)
{
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        context.set(i, withoutBatch(context, context.input(i)));
    context.set(context.inputCount(), {{unknownDim, 3}, false});
    context.set(context.inputCount() + 1, Shape{});
}

void unbatch(RuleContext& context)
{
    context.set(0, withoutBatch(context, context.input(0)));
}

void unbatchGrad(RuleContext& context)
{
    const Shape& gradient = context.input(2);
    if (!gradient.unknownRank)
        context.set(0, unknownDims(gradient.dims.size()));
}

// Joins the rows of all members of the group.
void collectiveGather(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 1);
    const std::int64_t rows = sizeAt(input, 0);
    const std::int64_t members = context.attrs().integer("group_size");
    context.set(0, withDim(input, 0,
                           rows < 0 || members < 0 ? unknownDim : product(context, rows, members)));
}

// Divides one axis into as many parts as there are replicas, and joins them along another.
void allToAll(RuleContext& context)
{
    const Shape& input = context.input(0);
    if (input.unknownRank)
        return context.fail("input's rank is unknown.");
    const auto rank = std::int64_t(input.dims.size());
    const auto axisOf = [&](std::string_view attr) {
        const std::int64_t axis = context.attrs().integer(attr);
        if (axis < 0 || axis >= rank)
            context.fail(std::string(attr) + " " + std::to_string(axis) +
                         " is out of range of input rank " + std::to_string(rank));
        return axis;
    };
    const std::int64_t joinedAxis = axisOf("concat_dimension");
    const std::int64_t cutAxis = axisOf("split_dimension");
    const std::int64_t parts = context.attrs().integer("split_count");
    if (context.failed())
        return;
    Shape output = input;
    std::int64_t& longer = output.dims[std::size_t(joinedAxis)];
    longer = parts < 1 ? unknownDim : product(context, longer, parts);
    std::int64_t& shorter = output.dims[std::size_t(cutAxis)];
    shorter = parts < 1 || shorter < 0 ? unknownDim : shorter / parts;
    context.set(0, output);
}

void replicatedInput(RuleContext& context)
{
    Shape shape = unknownShape();
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        shape = context.merge(shape, context.input(i));
    context.set(0, shape);
}

// Sets the tensors from the host, if the attribute `shapes` gives their shapes.
void dequeueFromHost(RuleContext& context)
{
    const std::vector<Shape> shapes = context.attrs().shapes("shapes");
    for (std::size_t i = 0; i < shapes.size(); ++i)
        context.set(i, shapes[i]);
}

void dequeueFromDevice(RuleContext& context)
{
    const std::size_t count = context.attrs().shapes("shapes").size();
    if (count != context.outputCount())
        context.fail("attribute shapes has " + std::to_string(count) + " shapes for " +
                     std::to_string(context.outputCount()) + " outputs");
    dequeueFromHost(context);
}

// The configuration is not parsed, but an empty one has no tables.
void receiveActivations(RuleContext& context)
{
    if (context.attrs().string("config").empty() && context.outputCount() > 0)
        context.fail("attribute config is empty, but there are " +
                     std::to_string(context.outputCount()) + " outputs");
}

void sendGradients(RuleContext& context)
{
    const auto gradients = std::size_t(std::max<std::int64_t>(context.attrs().integer("N"), 0));
    for (std::size_t i = gradients; i < context.inputCount(); ++i)
        context.ranked(i, 0);
}

constexpr ShapeRule replicaTable[] = {
    {"AllToAll", allToAll},
    {"Batch", batch},
    {"CollectiveGather", collectiveGather},
    {"InfeedDequeueTuple", dequeueFromHost},
    {"OutfeedDequeueTuple", dequeueFromDevice},
    {"RecvTPUEmbeddingActivations", receiveActivations},
    {"SendTPUEmbeddingGradients", sendGradients},
    {"TPUReplicatedInput", replicatedInput},
    {"Unbatch", unbatch},
    {"UnbatchGrad", unbatchGrad},
};

} // namespace

std::span<const ShapeRule> replicaRules()
{
    return replicaTable;
}

} // namespace lapidary
