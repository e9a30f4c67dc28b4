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

// Propagates a flag from the nodes that have it to all nodes computed from them, through any number
// of loops; `takes` returns whether a node accepts the flag from its inputs. O(nodes + edges).
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

// Propagates a flag from the nodes that have it to all nodes that they are computed from.
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
