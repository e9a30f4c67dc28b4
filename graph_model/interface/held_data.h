// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <vector>

namespace lapidary {

// Returns the nodes that contain the examples of a training graph without feeds and input pipeline:
// reads of variables that are not single numbers and that no op of the graph changes; if there are
// none, large constants that are computed with what depends on variables. Empty for other graphs.
// O(nodes + edges).
std::vector<NodeId> heldData(const Graph& graph);

} // namespace lapidary
