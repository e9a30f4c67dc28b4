// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <span>
#include <vector>

namespace lapidary {

// Returns every node that is reached from `open`: `follow(id, open)` adds those one step from `id`,
// in any number, and is called once for each. One flag a node.
template <class Follow>
std::vector<bool> reachedNodes(std::size_t nodes, std::vector<NodeId> open, const Follow& follow)
{
    std::vector<bool> isReached(nodes, false);
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (isReached[id.value])
            continue;
        isReached[id.value] = true;
        follow(id, open);
    }
    return isReached;
}

// Flags the nodes that stay if the graph is cut to what computes `outputs` from `inputs`:
// everything that `outputs` reach backwards over data and control edges, not looking past `inputs`.
// One flag a node. O(nodes + edges).
std::vector<bool> keptNodes(const Graph& graph, std::span<const NodeId> inputs,
                            std::span<const NodeId> outputs);

} // namespace lapidary
