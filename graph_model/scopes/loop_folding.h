// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/prepared_scope.h"

#include <unordered_map>
#include <vector>

namespace lapidary {

// How the nodes that only carry values round loops and into branches are drawn: each on the box of
// the value that it carries. Where a value is let into the body or out of the loop is not a line of
// its own; the frame and the line back say it.
struct LoopFolds {
    std::vector<NodeId> into;    // of each node: the next one on the way to its box, or invalid
    std::vector<bool> isCarrier; // of each node: it only carries a value, or a truth, about
    // For some readers: the node at whose box an edge from a carrier begins.
    std::unordered_map<NodeId, NodeId> way;
    LoopPorts ports;
};

// `loops` and `branches` may be null. `pinned` is sorted: nodes that are to have boxes of their
// own.
LoopFolds foldLoops(const Graph& graph, const LoopFrames* loops, const Branches* branches,
                    const std::vector<NodeId>& pinned);

} // namespace lapidary
