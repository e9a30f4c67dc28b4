// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace lapidary {

// Tells for each node whether tensors or nodes need it ("x:0", "x"), not looking behind what is fed
// ("y:0"). What is asked for is needed itself. O(nodes + edges).
std::vector<bool> nodesBehind(const Graph& graph, std::span<const std::string> wanted,
                              const std::set<std::string>& fed);

} // namespace lapidary
