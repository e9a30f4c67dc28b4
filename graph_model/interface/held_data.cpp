// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/held_data.h"

#include "graph_model/interface/op_effects.h"
#include "graph_model/ops/op_traits.h"

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

} // namespace

std::vector<NodeId> heldData(const Graph& graph)
{
    if (!trainsUnfed(graph))
        return {};
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

} // namespace lapidary
