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

// What a loop runs, as a graph of its own: `inputs` are placeholders, first of the variables, then
// of what it reads from outside.
struct OutlinedLoop {
    GraphPtr graph;
    std::vector<std::string> inputs;
    std::string goesOn;            // a tensor: whether the body is run
    std::vector<std::string> next; // of each variable
};

// Loops by the attribute `_loop` of the nodes that stand for them.
using OutlinedLoops = std::map<std::string, std::shared_ptr<const OutlinedLoop>>;

// A graph in which each while loop is one node, While, that reads what the loop begins with; what
// it runs is added to `loops`. Loops of another form stay. The same pointer where there are none.
Result<GraphPtr> outlineLoops(const GraphPtr& graph, OutlinedLoops& loops, const Job& job);
// Of such a node; null for others.
std::shared_ptr<const OutlinedLoop> outlinedLoop(const Node& node, const OutlinedLoops& loops);

} // namespace lapidary
