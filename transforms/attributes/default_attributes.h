// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <string>
#include <utility>
#include <vector>

namespace lapidary {

// Returns the attributes that a node leaves to its op's defaults, encoded. The op is looked up
// among the functions of the graph, then in the op registry. Error: an op that neither knows.
Result<std::vector<std::pair<std::string, std::string>>> missingDefaults(const Graph& graph,
                                                                         const Node& node);

} // namespace lapidary
