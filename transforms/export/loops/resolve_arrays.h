// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

namespace lapidary {

// Returns the TensorArray whose handle a node reads as its first input, directly or through copies
// and the borders of loops; an invalid id if it reads something else.
NodeId arrayReadBy(const Graph& graph, NodeId reader);

// Returns a graph in which the number of elements of a TensorArray is a constant if the array was
// made with one and does not grow. The same pointer if there is none.
Result<GraphPtr> settleArraySizes(const GraphPtr& graph);

// Returns a graph without TensorArrays: each is followed along its flow, and a read of an index
// gives the value written there; values stored at once are split by Unpack, and values read at once
// are joined by Pack. That needs constant indices, as in unrolled loops. If an array is used in
// another way, only the numbers of elements that are now known become constants: the other use may
// wait for one of them.
Result<GraphPtr> resolveArrays(const GraphPtr& graph);

} // namespace lapidary
