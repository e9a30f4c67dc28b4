// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>

namespace lapidary {

// Whether a node of the graph is a variable whose value lies in a checkpoint. O(nodes).
inline bool hasStoredVariable(const Graph& graph)
{
    return std::ranges::any_of(graph.nodes(),
                               [](const NodePtr& node) { return isStoredVariable(node->op()); });
}

} // namespace lapidary
