// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/graph/node_flags.h"

#include <vector>

namespace lapidary {

// The purpose of nodes, determined by ops and wiring. There is one flag for each node, and each
// flag is computed in one pass along the data edges.
struct NodeRoles {
    NodeFlags source;   // data enters here: placeholders, iterators, dequeues, arguments
    NodeFlags fed;      // depends on a source
    NodeFlags content;  // depends on the values of a source, not only on its shape
    NodeFlags weighted; // depends on a variable
    NodeFlags backward; // a gradient, or computed from one
    NodeFlags effect;   // runs for its effect: saves, initializes, trains, queues
    NodeFlags trains;   // serves only to train, save or fill a queue
    NodeFlags keeper;   // serves only for these, or to summarize
    NodeFlags inLoop;   // its value never leaves a loop by itself
    NodeFlags measured; // comes after results were compared with labels
    NodeFlags compared; // a result that is compared with labels
};
NodeRoles nodeRoles(const Graph& graph);

} // namespace lapidary
