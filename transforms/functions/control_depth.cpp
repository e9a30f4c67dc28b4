// SPDX-License-Identifier: Apache-2.0
#include "transforms/functions/control_depth.h"

#include "graph_model/ops/op_traits.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns whether a loop's variable begins at this Merge: it then joins an Enter and a
// NextIteration.
bool beginsTurn(const Graph& graph, NodeId merge)
{
    return std::ranges::any_of(graph.inputs(merge), [&](const Endpoint& from) {
        if (!from.node.isValid() || from.isControl())
            return false;
        const auto op = graph.node(from.node).op();
        return isEnter(op) || isNextIteration(op);
    });
}

// Returns how many branches and frames a node opens, or closes if negative. A loop's Exit leaves
// both the Switch of its condition and the frame.
int step(const Graph& graph, NodeId id)
{
    switch (controlFlow(graph.node(id).op())) {
    case ControlFlow::Switch:
    case ControlFlow::Enter: return 1;
    case ControlFlow::Exit: return -2;
    case ControlFlow::Merge: return beginsTurn(graph, id) ? 0 : -1;
    default: return 0;
    }
}

} // namespace

std::vector<bool> nodesInTurns(const Graph& graph)
{
    std::vector<bool> inTurn(graph.size(), false);
    const bool hasControlFlow = std::ranges::any_of(graph.nodes(), [](const NodePtr& node) {
        return controlFlow(node->op()) != ControlFlow::None;
    });
    if (!hasControlFlow)
        return inTurn;
    std::vector<int> depth(graph.size(), 0);
    for (const NodeId id : topologicalOrder(graph)) {
        int deepest = 0;
        for (const Endpoint& from : graph.inputs(id))
            if (from.node.isValid())
                deepest = std::max(deepest, depth[from.node.value]);
        depth[id.value] = std::max(deepest + step(graph, id), 0);
        inTurn[id.value] = depth[id.value] > 0;
    }
    return inTurn;
}

} // namespace lapidary
