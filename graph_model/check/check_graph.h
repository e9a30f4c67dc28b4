// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/check/problem.h"
#include "graph_model/graph/graph.h"

#include <string_view>

namespace lapidary {

// Returns all problems of a graph that do not depend on its file: names, inputs, ports, cycles,
// attributes against the op registry, tensors, functions. O(nodes + inputs); never recurses over
// graph depth. If cancelled, the list is incomplete.
Problems checkGraph(const Graph& graph, const Job& job);

// Returns a description, as a predicate with advice, of a graph whose constants are in another
// file, if it is known (layers for OpenCV's DNN module); empty for other graphs. O(nodes).
std::string_view describedElsewhere(const Graph& graph);

} // namespace lapidary
