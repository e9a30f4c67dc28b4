// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <vector>

namespace lapidary {

// Returns which nodes may be skipped or run more than once, because they are between a Switch and
// its Merge or inside a loop's frame. One flag a node; where branches are not built as usual, more
// nodes are flagged than need be. O(nodes + edges).
std::vector<bool> nodesInTurns(const Graph& graph);

} // namespace lapidary
