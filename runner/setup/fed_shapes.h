// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/shapes/inferred_shapes.h"
#include "runner/execute/session.h"

namespace lapidary {

// Infers the shapes that the tensors of `graph` have in a run with the values of `request`.
Result<InferredShapes> fedShapes(const Graph& graph, const RunRequest& request, const Job& job);

} // namespace lapidary
