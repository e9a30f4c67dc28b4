// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <string_view>

namespace lapidary {

// Parses a graph from lines "name = Op(input, input:1, ^control)"; other attributes need a
// NodeDraft. "#" begins a comment line.
GraphPtr graph(std::string_view text);
// Returns the same graph with every attribute that its ops require, so that it can run: types from
// the node's readers and inputs, else float; counts and lists of types from the inputs; the
// simplest values for others.
GraphPtr typed(const GraphPtr& graph);
// Parses such a text.
std::string printGraph(const Graph& graph);

} // namespace lapidary
