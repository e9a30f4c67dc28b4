#pragma once

#include "graph_model/graph/graph.h"

#include <string_view>

namespace lapidary {

// A graph from lines "name = Op(input, input:1, ^control)"; further attributes by NodeDraft.
// "#" begins a comment line.
GraphPtr graph(std::string_view text);
// The same text for a graph.
std::string printGraph(const Graph& graph);

} // namespace lapidary
