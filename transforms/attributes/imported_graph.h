// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <string_view>

namespace lapidary {

// The graph as TensorFlow's Python gives it back after importing it: names in the scope `scope`,
// attributes that were left to defaults written out, and the shapes of all outputs in
// _output_shapes. Error: a graph that could not be imported, with what is wrong first.
Result<GraphPtr> importedGraph(const GraphPtr& graph, std::string_view scope, const Job& job);

} // namespace lapidary
