// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph_edit.h"

#include <span>

namespace lapidary {

// Whether a node of the graph makes a table, functions apart. O(nodes).
bool hasTables(const Graph& graph);
// Whether running `init` may fill a table with what stands in the graph, in functions too. O(nodes
// of the graph and of the functions that are called).
bool fillsTables(const Graph& graph, NodeId init);

// Lets what reads a table of the outputs wait for the node that fills it with constants of the
// graph, where the outputs alone would leave that node out: the graph then computes them without an
// initializer. TensorFlow leaves a table as it is that is filled again with the same. A table that
// is filled from a file is left alone.
Result<EditResult> withFilledTables(const GraphPtr& graph, std::span<const NodeId> outputs);

} // namespace lapidary
