// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <vector>

namespace lapidary {

// Returns the nodes in the order in which TensorFlow's importer makes them: of all nodes whose
// producers are made, the first in the file is next. A Merge does not wait for the back edge of a
// loop. Nodes in other cycles come last, in file order. O(edges * log nodes).
std::vector<NodeId> importOrder(const Graph& graph);

} // namespace lapidary
