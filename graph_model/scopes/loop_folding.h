// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/prepared_scope.h"

#include <unordered_map>
#include <vector>

namespace lapidary {

// Determines how the nodes that only carry values round loops and into branches are drawn: each on
// the box of the value that it carries. Entries into the body and exits from the loop are not edges
// of their own; the frame and the back edge show them.
struct LoopFolds {
    std::vector<NodeId> into;    // for each node: the next one on the way to its box, or invalid
    std::vector<bool> isCarrier; // for each node: whether it only carries a value or a predicate
    // For some readers, the node at whose box an edge from a carrier begins.
    std::unordered_map<NodeId, NodeId> way;
    LoopPorts ports;
};

// `loops` and `branches` may be null. `pinned`: the nodes that must have boxes of their own,
// sorted.
LoopFolds foldLoops(const Graph& graph, const LoopFrames* loops, const Branches* branches,
                    const std::vector<NodeId>& pinned);

} // namespace lapidary
