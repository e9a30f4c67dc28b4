// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace lapidary {

// Returns for each node whether tensors or nodes ("x:0", "x") depend on it, not looking past what
// is fed ("y:0"). The wanted nodes themselves are included. O(nodes + edges).
std::vector<bool> nodesBehind(const Graph& graph, std::span<const std::string> wanted,
                              const std::set<std::string>& fed);

} // namespace lapidary
