// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"
#include "runner/shapes/infer_shapes.h"

namespace lapidary {

// Infers the static shapes of a graph that TensorFlow would import. Error: the first thing that it
// would refuse, with the node's name: names, ops, attributes, inputs, types, shapes that contradict
// each other. Graphs of later versions are checked as far as their ops are known. `isLenient`:
// neither names nor such shapes are faults.
Result<InferredShapes> importShapes(const Graph& graph, const ShapeOptions& options, bool isLenient,
                                    const Job& job);

} // namespace lapidary
