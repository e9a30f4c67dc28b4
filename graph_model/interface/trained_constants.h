// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <vector>

namespace lapidary {

// Returns the constants to which ops of the graph apply gradients, or in which they keep their
// state: the variables of a training graph that was frozen as a whole. O(nodes).
std::vector<NodeId> trainedConstants(const Graph& graph);

} // namespace lapidary
