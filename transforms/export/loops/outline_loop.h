// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lapidary {

// The body of a loop as a separate graph: `inputs` are placeholders, first of the variables, then
// of the tensors that it reads from outside.
struct OutlinedLoop {
    GraphPtr graph;
    std::vector<std::string> inputs;
    std::string goesOn;            // the tensor that tells whether the body is run
    std::vector<std::string> next; // of each variable
};

// Loops by the attribute `_loop` of the nodes that replace them.
using OutlinedLoops = std::map<std::string, std::shared_ptr<const OutlinedLoop>>;

// Returns a graph in which each while loop is one node, While, that reads the initial values of the
// loop; its body is added to `loops`. Loops of another form are kept. The same pointer if there are
// none.
Result<GraphPtr> outlineLoops(const GraphPtr& graph, OutlinedLoops& loops, const Job& job);
// Returns the loop of such a node; null for other nodes.
std::shared_ptr<const OutlinedLoop> outlinedLoop(const Node& node, const OutlinedLoops& loops);

} // namespace lapidary
