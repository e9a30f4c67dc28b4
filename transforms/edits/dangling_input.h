// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <string>

namespace lapidary {

// Returns "NODE: its input TEXT does not exist" for the first input that does not exist; else an
// empty string. O(edges).
std::string danglingInput(const Graph& graph);
// Does the same for one node.
std::string danglingInput(const Graph& graph, NodeId id);

} // namespace lapidary
