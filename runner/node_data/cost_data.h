// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "runner/cost/graph_cost.h"
#include "runner/node_data/node_data.h"

#include <vector>

namespace lapidary {

inline constexpr const char* costSource = "estimate"; // the source of these columns
// Returns the estimated cost of a graph as data of its nodes: operations, parameters, bytes of
// computed tensors, and the bytes that a node moves (reads and writes) for each operation. A weight
// counts at the first node that computes with it, so that sums are exact. Nodes whose sizes are
// unknown have no number.
std::vector<NodeData> costData(const Graph& graph, const GraphCost& cost);

} // namespace lapidary
