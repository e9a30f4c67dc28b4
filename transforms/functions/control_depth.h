// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <vector>

namespace lapidary {

// Flags the nodes that may be skipped or run more than once, because they are between a Switch and
// its Merge or inside a loop's frame. One flag a node; if branches are built unusually, more nodes
// are flagged than necessary. O(nodes + edges).
std::vector<bool> nodesInTurns(const Graph& graph);

} // namespace lapidary
