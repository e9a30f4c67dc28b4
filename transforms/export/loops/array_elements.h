// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

namespace lapidary {

// A graph in which a TensorArray says the sizes of its elements where it left them open and all
// that is written to it has the same ones. The same pointer where there is none.
Result<GraphPtr> settleArrayElements(const GraphPtr& graph, const Job& job);

} // namespace lapidary
