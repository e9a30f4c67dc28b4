// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

namespace lapidary {

// Returns the node that makes the table of a handle, past copies of the handle; invalid if there is
// none.
NodeId tableOf(const Graph& graph, Endpoint handle);

} // namespace lapidary
