// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

namespace lapidary {

// Returns a graph in which a TensorArray declares the sizes of its elements if it left them open
// and all writes to it have the same ones. The same pointer if there is no such array.
Result<GraphPtr> settleArrayElements(const GraphPtr& graph, const Job& job);

} // namespace lapidary
