// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <string_view>

namespace lapidary {

// Returns the graph as TensorFlow's Python returns it after importing it: names in the scope
// `scope`, attributes that were left to defaults written out, and the shapes of all outputs in
// _output_shapes. Error: a graph that could not be imported; the message names the first problem.
Result<GraphPtr> importedGraph(const GraphPtr& graph, std::string_view scope, const Job& job);

} // namespace lapidary
