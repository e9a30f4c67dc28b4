// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/shapes/declared_shapes.h"
#include "graph_model/shapes/inferred_shapes.h"

#include <memory>

namespace lapidary {

using InferredShapesPtr = std::shared_ptr<const InferredShapes>;

// The best that is known of a tensor: what was inferred, where there is nothing (or `shapes` is
// null) what the file declares. dtypes are never references; `unknownRank` where no shape is known.
TensorLabel knownTensor(const Graph& graph, const InferredShapes* shapes, Endpoint tensor);

} // namespace lapidary
