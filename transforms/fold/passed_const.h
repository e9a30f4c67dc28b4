// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace lapidary {

// Finds the tensors of the constant part that are the unchanged value of a Const, because only
// Identity and the like are between. O(nodes) for all queries together.
class PassedConsts {
public:
    explicit PassedConsts(const Graph& graph)
        : m_graph(graph)
    {
    }
    // Returns the Const; invalid if the value has to be computed, or cannot be read.
    NodeId sourceOf(Endpoint tensor);

private:
    const Graph& m_graph;
    std::unordered_map<NodeId, NodeId> m_known; // by the node that passes it on
};

// Returns the bytes of such a Const's value, with every element counted.
std::uint64_t passedBytes(const Node& constant);
// Returns a Const that shares the value of another.
NodeDraft passedNode(std::string name, const Node& constant);

} // namespace lapidary
