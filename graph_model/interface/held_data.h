// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <vector>

namespace lapidary {

// Returns the nodes that deliver the examples of a training graph to which nothing is fed and that
// has no input pipeline: reads of variables, no single numbers, that no op of the graph changes.
// Empty for other graphs. O(nodes + edges).
std::vector<NodeId> heldData(const Graph& graph);

} // namespace lapidary
