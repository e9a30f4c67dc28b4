// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/check/problem.h"
#include "graph_model/graph/graph.h"

#include <string_view>

namespace lapidary {

// Everything that is wrong with a graph as a graph, whatever file it came from: names, inputs,
// ports, cycles, attributes against the op registry, tensors, functions. O(nodes + inputs); never
// recurses over graph depth. Partial lists are returned when the job is cancelled.
Problems checkGraph(const Graph& graph, const Job& job);

// Returns what a graph that names nodes without containing them describes instead, if that is
// known: layers for OpenCV's DNN module. A predicate with advice; empty for other graphs. O(nodes).
std::string_view describedElsewhere(const Graph& graph);

} // namespace lapidary
