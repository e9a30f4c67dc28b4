// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph_edit.h"

#include <span>

namespace lapidary {

// Returns whether a node of the graph makes a table, without functions. O(nodes).
bool hasTables(const Graph& graph);
// Returns whether running `init` may fill a table, also in functions. O(nodes of the graph and of
// the functions that are called).
bool fillsTables(const Graph& graph, NodeId init);

// Makes the readers of tables that the outputs need wait for the nodes that fill these with
// constants of the graph, if the outputs do not depend on those nodes anyway. The graph then needs
// no initializer. TensorFlow leaves a table unchanged when it is filled again with the same values.
// Tables that are filled from files are left alone (see text_tables.h).
Result<EditResult> withFilledTables(const GraphPtr& graph, std::span<const NodeId> outputs);

} // namespace lapidary
