// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <string>
#include <utility>
#include <vector>

namespace lapidary {

// A weight (Const or variable) and the gathers that read rows of it, perhaps through Identity.
struct ColumnWeight {
    NodeId weights;
    std::vector<NodeId> reads;                            // the Identity nodes
    std::vector<NodeId> gathers;                          // gathers that a table can replace
    std::vector<std::pair<NodeId, std::string>> declined; // gathers that it cannot replace, and why
};

// Returns the weights in the order of the graph.
std::vector<ColumnWeight> findColumnWeights(const Graph& graph);

} // namespace lapidary
