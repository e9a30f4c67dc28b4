// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"
#include "graph_model/interface/node_parts.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lapidary {

// The way of the data through a network.
struct NetworkPath {
    // For each node, its position on the longest way from an input, counted from 1; 0 if it is not
    // on a way from an input to an output.
    std::vector<std::uint32_t> depths;

    bool holds(NodeId id) const { return depths[id.value] > 0; }
};

// Finds the path. If no way leads from the inputs to the outputs, it holds all nodes that the
// outputs need; if there are no outputs, every node of the network. `parts` may be null. O(nodes +
// edges).
Result<NetworkPath> findNetworkPath(const Graph& graph, std::span<const NodeId> inputs,
                                    std::span<const NodeId> outputs, const NodeParts* parts,
                                    const Job& job);

} // namespace lapidary
