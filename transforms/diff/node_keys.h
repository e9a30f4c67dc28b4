// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <cstdint>
#include <vector>

namespace lapidary {

constexpr std::uint32_t unanchored = UINT32_MAX;

// Hashes of a node and its surroundings, without its name: nodes with equal keys could be
// counterparts. A node that has an anchor (the same number on both sides) is identified by it
// alone, so that the others are distinguished by their surroundings up to the next anchors.
struct NodeKeys {
    std::vector<std::uint64_t> op;
    std::vector<std::uint64_t> local;      // op and attributes; large tensors by samples
    std::vector<std::uint64_t> upstream;   // local, and everything the node is computed from
    std::vector<std::uint64_t> downstream; // local, and everything computed from the node
};

// `anchors`: one for each node. The order of the nodes has no influence, except in cycles that do
// not close at a Merge. O(nodes + edges).
NodeKeys nodeKeys(const Graph& graph, const std::vector<std::uint32_t>& anchors);

} // namespace lapidary
