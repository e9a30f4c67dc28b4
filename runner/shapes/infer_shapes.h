// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/shapes/inferred_shapes.h"

namespace lapidary {

// propagateShapes() with the values of constant subgraphs computed by the kernels.
Result<InferredShapes> inferShapes(const Graph& graph, const ShapeOptions& options, const Job& job);

} // namespace lapidary
