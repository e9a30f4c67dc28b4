// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/graph/node_flags.h"

#include <cstdint>
#include <vector>

namespace lapidary {

inline std::vector<NodeId> flagged(const NodeFlags& flags)
{
    std::vector<NodeId> nodes;
    for (std::uint32_t i = 0; i < flags.size(); ++i)
        if (flags[i])
            nodes.push_back(NodeId{i});
    return nodes;
}

// Hands a property on from the nodes that have it to all that are computed from them, around any
// number of loops; `takes` tells of a node whether it takes the property from what it reads.
// O(nodes + edges).
template <class Takes>
void flowToReaders(const Graph& graph, NodeFlags& flags, Takes takes)
{
    std::vector<NodeId> open = flagged(flags);
    while (!open.empty()) {
        const NodeId from = open.back();
        open.pop_back();
        for (const Consumer& reader : graph.consumers(from)) {
            const NodeId to = reader.node;
            if (reader.isControl() || flags[to.value] || !takes(to))
                continue;
            flags[to.value] = true;
            open.push_back(to);
        }
    }
}

// Hands a property on to all that the nodes which have it are computed from.
template <class Takes>
void flowToInputs(const Graph& graph, NodeFlags& flags, Takes takes)
{
    std::vector<NodeId> open = flagged(flags);
    while (!open.empty()) {
        const NodeId from = open.back();
        open.pop_back();
        for (const Endpoint& input : graph.inputs(from)) {
            const NodeId to = input.node;
            if (input.isControl() || !to.isValid() || flags[to.value] || !takes(to))
                continue;
            flags[to.value] = true;
            open.push_back(to);
        }
    }
}

} // namespace lapidary
