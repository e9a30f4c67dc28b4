// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"

namespace lapidary {

// The graph with TensorFlow's ops, for this program's kernels, where a .tflite or .onnx file names
// others: each operator becomes a node of its name with the same outputs, and further nodes in
// front of it. What computes with codes of 8 bits computes with the numbers that they stand for and
// rounds as the file says. Operators without a counterpart stay, with the format before their name,
// so that a run that needs them says which they are. TensorFlow's own graphs are returned as they
// are.
Result<GraphPtr> liftGraph(const GraphPtr& graph, const Job& job);

} // namespace lapidary
