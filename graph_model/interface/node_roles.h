// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <vector>

namespace lapidary {

// The purpose of nodes, told from ops and wiring. There is one flag for each node, and each flag is
// computed in one pass along the data edges.
struct NodeRoles {
    std::vector<bool> source;   // data enters here: placeholders, iterators, dequeues, arguments
    std::vector<bool> fed;      // depends on a source
    std::vector<bool> content;  // depends on the values of a source, not only on its shape
    std::vector<bool> weighted; // depends on a variable
    std::vector<bool> backward; // a gradient, or computed from one
    std::vector<bool> effect;   // is run for its effect: saves, initializes, trains, queues
    std::vector<bool> trains;   // serves only to train, save or fill a queue
    std::vector<bool> keeper;   // the same, or to summarize
    std::vector<bool> inLoop;   // its value never leaves a loop by itself
    std::vector<bool> measured; // comes after results were compared with labels
    std::vector<bool> compared; // is such a result
};
NodeRoles nodeRoles(const Graph& graph);

} // namespace lapidary
