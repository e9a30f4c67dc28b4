// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

namespace lapidary {

// The TensorArray whose handle a node reads first, maybe handed on by copies and into or out of a
// loop; none where it reads something else.
NodeId arrayReadBy(const Graph& graph, NodeId reader);

// A graph in which the number of elements of a TensorArray is a constant where the array was made
// with one and does not grow. The same pointer where there is none.
Result<GraphPtr> settleArraySizes(const GraphPtr& graph);

// A graph without TensorArrays: each is followed along its flow, and what is read from a place is
// what was written there; what is stored at once is taken apart by Unpack, and what is read at once
// is put together by Pack. That needs places that are constants, as loops have that were written
// out. Where one use of an array is of another kind, only the numbers of elements that are now
// known become constants: what that use waits for may be one of them.
Result<GraphPtr> resolveArrays(const GraphPtr& graph);

} // namespace lapidary
