// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace lapidary {

// Returns for each node whether the wanted tensors or nodes ("x:0", "x") need it: they depend on it
// not only through fed tensors ("y:0"). The wanted nodes are included. O(nodes + edges).
std::vector<bool> nodesBehind(const Graph& graph, std::span<const std::string> wanted,
                              const std::set<std::string>& fed);

} // namespace lapidary
