// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <vector>

namespace lapidary {

// Returns a graph in which each TensorArray is a tensor with one more axis at the front: a read
// gathers a row, a write makes the tensor with another row, and loops carry it as a variable. That
// needs arrays whose number of elements and whose elements' sizes are known. The same pointer if
// there is no array, one of them cannot be such a tensor, or one of `outputs` is an array itself.
Result<GraphPtr> arraysAsTensors(const GraphPtr& graph, const std::vector<Endpoint>& outputs,
                                 const Job& job);

} // namespace lapidary
