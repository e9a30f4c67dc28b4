// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <string>

namespace lapidary {

struct DotOptions {
    bool scopes = true; // name scopes as clusters
};

// Returns the graph as Graphviz text: every node with name and op, every edge with its ports,
// control edges dashed, missing producers as dotted nodes. Names may be any bytes; bytes that are
// not UTF-8 are shown as U+FFFD. The same graph gives the same text. O(nodes + edges).
Result<std::string> dotText(const Graph& graph, const DotOptions& options, const Job& job);

} // namespace lapidary
