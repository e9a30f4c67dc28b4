// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/held_data.h"

#include "graph_model/graph/node_flags.h"
#include "graph_model/interface/flow.h"
#include "graph_model/interface/op_effects.h"
#include "graph_model/interface/trained_constants.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/shapes/declared_shapes.h"

#include <algorithm>

namespace lapidary {
namespace {

bool writesVariable(OpEffect effect)
{
    return effect == OpEffect::Train || effect == OpEffect::Assign || effect == OpEffect::Scatter;
}

bool trainsUnfed(const Graph& graph)
{
    bool trains = false;
    for (const NodePtr& node : graph.nodes()) {
        const std::string_view op = node->op();
        if (isPipelineOp(op) || (isFedOp(op) && op != "PlaceholderWithDefault"))
            return false;
        trains = trains || opEffect(op) == OpEffect::Train;
    }
    return trains;
}

bool holdsSeveral(const Node& variable)
{
    const auto shape = variable.attr("shape").asShape();
    return shape && !shape->unknownRank && !shape->dims.empty();
}

// Returns the reads of variables that hold examples.
std::vector<NodeId> heldVariables(const Graph& graph)
{
    std::vector<NodeId> reads;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const Node& node = graph.node(NodeId{i});
        const auto readers = graph.consumers(NodeId{i});
        const auto changesIt = [&](const Consumer& reader) {
            return !reader.isControl() && writesVariable(opEffect(graph.node(reader.node).op()));
        };
        if (!isVariable(node.op()) || !holdsSeveral(node) ||
            std::ranges::any_of(readers, changesIt))
            continue;
        for (const Consumer& reader : readers)
            if (!reader.isControl() && isVariableRead(graph.node(reader.node).op()))
                reads.push_back(reader.node);
    }
    return reads;
}

// Returns whether a constant is larger than those for sizes, axes and orders of axes.
bool holdsMany(const Graph& graph, NodeId constant)
{
    constexpr std::int64_t many = 16;
    const auto shape = declaredFacts(graph, {constant, 0}).shape;
    if (!shape || shape->unknownRank || shape->dims.empty())
        return false;
    std::int64_t elements = 1;
    for (const std::int64_t size : shape->dims) {
        if (size >= many)
            return true;
        elements = std::min(many, elements * std::max<std::int64_t>(size, 0));
    }
    return elements >= many;
}

// Returns the constants that a network computes with. Initial values of variables are not among
// them: they only meet the op that assigns them.
std::vector<NodeId> heldConstants(const Graph& graph)
{
    NodeFlags weighted(graph.size(), false);
    for (const NodeId id : trainedConstants(graph))
        weighted[id.value] = true;
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        weighted[i] = weighted[i] || isVariable(graph.node(NodeId{i}).op());
    const auto computes = [&](NodeId id) {
        const std::string_view op = graph.node(id).op();
        return !asksForSize(op) && !isGradientOp(op) && opEffect(op) == OpEffect::None;
    };
    flowToReaders(graph, weighted, computes);
    NodeFlags meets(graph.size(), false);
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        for (const Endpoint& input : graph.inputs(NodeId{i}))
            if (weighted[i] && computes(NodeId{i}) && input.node.isValid() && !input.isControl() &&
                !weighted[input.node.value])
                meets[input.node.value] = true;
    flowToInputs(graph, meets, [&](NodeId id) { return !weighted[id.value] && computes(id); });
    std::vector<NodeId> held;
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        if (meets[i] && isConstant(graph.node(NodeId{i}).op()) && holdsMany(graph, NodeId{i}))
            held.push_back(NodeId{i});
    return held;
}

} // namespace

std::vector<NodeId> heldData(const Graph& graph)
{
    if (!trainsUnfed(graph))
        return {};
    std::vector<NodeId> held = heldVariables(graph);
    return held.empty() ? heldConstants(graph) : held;
}

} // namespace lapidary
