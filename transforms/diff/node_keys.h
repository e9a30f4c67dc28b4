#pragma once

#include "graph_model/graph/graph.h"

#include <cstdint>
#include <vector>

namespace lapidary {

constexpr std::uint32_t unanchored = UINT32_MAX;

// What a node is and where it stands, without its name, as hashes: equal keys are nodes that could
// be each other. Nodes that have an anchor (the same number on both sides) are known by it alone,
// so that the others are told by their surroundings as far as the next anchors.
struct NodeKeys {
    std::vector<std::uint64_t> op;
    std::vector<std::uint64_t> local;      // op and attributes; big tensors by samples
    std::vector<std::uint64_t> upstream;   // local, and everything it is computed from
    std::vector<std::uint64_t> downstream; // local, and everything that is computed from it
};

// `anchors`: one for each node. The order of the nodes makes no difference, but for cycles that do
// not close at a Merge. O(nodes + edges).
NodeKeys nodeKeys(const Graph& graph, const std::vector<std::uint32_t>& anchors);

} // namespace lapidary
