// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <vector>

namespace lapidary {

// Returns the constants that ops of the graph apply gradients to, or keep their state in: the
// variables of a training graph that was frozen whole. O(nodes).
std::vector<NodeId> trainedConstants(const Graph& graph);

} // namespace lapidary
