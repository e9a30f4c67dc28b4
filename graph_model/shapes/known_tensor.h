// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/shapes/declared_shapes.h"
#include "graph_model/shapes/inferred_shapes.h"

#include <memory>

namespace lapidary {

using InferredShapesPtr = std::shared_ptr<const InferredShapes>;

// Returns the best knowledge of a tensor: the inferred label, else (or if `shapes` is null) the
// declaration of the file. dtypes are never references; `unknownRank` is set if no shape is known.
TensorLabel knownTensor(const Graph& graph, const InferredShapes* shapes, Endpoint tensor);

} // namespace lapidary
