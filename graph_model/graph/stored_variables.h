// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace lapidary {

// Returns whether a node of the graph is a variable whose value is in a checkpoint. O(nodes).
inline bool hasStoredVariable(const Graph& graph)
{
    return std::ranges::any_of(graph.nodes(),
                               [](const NodePtr& node) { return isStoredVariable(node->op()); });
}

// Returns the number of such variables. O(nodes).
inline std::size_t countStoredVariables(const Graph& graph)
{
    return std::size_t(std::ranges::count_if(
        graph.nodes(), [](const NodePtr& node) { return isStoredVariable(node->op()); }));
}

// Returns "1 variable", "3 variables".
inline std::string countedVariables(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " variable" : " variables");
}

} // namespace lapidary
