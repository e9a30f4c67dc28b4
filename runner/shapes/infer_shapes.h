// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/shapes/inferred_shapes.h"

namespace lapidary {

// Calls propagateShapes(), with the kernels to compute the values of constant subgraphs.
Result<InferredShapes> inferShapes(const Graph& graph, const ShapeOptions& options, const Job& job);

} // namespace lapidary
