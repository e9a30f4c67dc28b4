// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <string_view>

namespace lapidary {

// A graph from lines "name = Op(input, input:1, ^control)"; further attributes by NodeDraft.
// "#" begins a comment line.
GraphPtr graph(std::string_view text);
// The same graph with every attribute that its ops demand and that is not there, so that it can be
// run: types by what is read from the node and what it reads, else float; counts and lists of types
// by its inputs; other values the simplest.
GraphPtr typed(const GraphPtr& graph);
// The same text for a graph.
std::string printGraph(const Graph& graph);

} // namespace lapidary
