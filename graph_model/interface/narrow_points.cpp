// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/narrow_points.h"

#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <optional>

namespace lapidary {
namespace {

// Returns the shape of the constant or variable of an input, through reads and identities.
std::optional<Shape> weightShape(const Graph& graph, NodeId id)
{
    constexpr int farEnough = 4;
    for (int hop = 0; hop < farEnough && id.isValid(); ++hop) {
        const Node& node = graph.node(id);
        if (isConstant(node.op())) {
            const auto tensor = node.tensor();
            return tensor ? std::optional(tensor.value().shape()) : std::nullopt;
        }
        if (isVariable(node.op()))
            return node.attr("shape").asShape();
        const auto inputs = graph.inputs(id);
        if ((!isPassThrough(node.op()) && !isVariableRead(node.op())) || inputs.empty())
            return {};
        id = inputs[0].node;
    }
    return {};
}

// Returns the number of result values of a fully connected layer; nothing for any other node.
std::optional<std::int64_t> layerWidth(const Graph& graph, NodeId id)
{
    const Node& node = graph.node(id);
    const auto inputs = graph.inputs(id);
    if (node.op() != "MatMul" || inputs.size() < 2)
        return {};
    const auto shape = weightShape(graph, inputs[1].node);
    if (!shape || shape->unknownRank || shape->dims.size() < 2)
        return {};
    const bool isTransposed = node.attr("transpose_b").asBool().value_or(false);
    const std::int64_t width = isTransposed ? shape->dims.front() : shape->dims.back();
    return width > 0 ? std::optional(width) : std::nullopt;
}

// Returns the last node of the layer: follows single readers that do not change the width.
NodeId endOfLayer(const Graph& graph, NodeId id)
{
    constexpr int farEnough = 8;
    for (int hop = 0; hop < farEnough; ++hop) {
        const auto consumers = graph.consumers(id);
        if (consumers.size() != 1 || consumers[0].isControl())
            return id;
        const std::string_view op = graph.node(consumers[0].node).op();
        const bool isStill = op == "BiasAdd" || isAddition(op) || isActivation(op) ||
                             op == "FusedBatchNorm" || op == "FusedBatchNormV3";
        if (!isStill)
            return id;
        id = consumers[0].node;
    }
    return id;
}

} // namespace

NarrowPoints narrowPoints(const Graph& graph, const NodeRoles& roles)
{
    NarrowPoints found;
    NodeId narrowestLayer;
    std::int64_t least = INT64_MAX;
    std::int64_t last = 0;
    for (const NodeId id : topologicalOrder(graph)) {
        const bool isForward = roles.fed[id.value] && !roles.backward[id.value] &&
                               !roles.inLoop[id.value] && !roles.trains[id.value];
        if (!isForward)
            continue;
        const std::string_view op = graph.node(id).op();
        if (op.starts_with("Concat") && roles.content[id.value] && !graph.consumers(id).empty() &&
            !op.ends_with("Offset"))
            found.lastMeeting = id;
        const auto width = layerWidth(graph, id);
        if (!width)
            continue;
        last = *width;
        if (*width < least) {
            least = *width;
            narrowestLayer = id;
        }
    }
    // The last layer is often the narrowest, which is not a bottleneck.
    if (narrowestLayer.isValid() && last > least)
        found.narrowest = endOfLayer(graph, narrowestLayer);
    return found;
}

} // namespace lapidary
