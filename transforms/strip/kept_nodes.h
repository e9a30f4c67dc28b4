#pragma once

#include "graph_model/graph/graph.h"

#include <span>
#include <vector>

namespace lapidary {

// Which nodes stay if the graph is cut to what computes `outputs` from `inputs`: everything that
// `outputs` reach backwards over data and control edges, not looking behind `inputs`. One flag a
// node. O(nodes + edges).
std::vector<bool> keptNodes(const Graph& graph, std::span<const NodeId> inputs,
                            std::span<const NodeId> outputs);

} // namespace lapidary
