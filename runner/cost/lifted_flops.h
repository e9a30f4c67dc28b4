// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/shapes/infer_shapes.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lapidary {

// Counts what the operators of a .tflite or .onnx file compute: the operations of the nodes that
// liftGraph() makes of them. Indexed by NodeId of `graph`; nothing for an operator with an unknown
// size, 0 for one without operations. `shapes` are those of `graph`, as for costOf().
Result<std::vector<std::optional<std::int64_t>>>
liftedFlops(const Graph& graph, const InferredShapes& shapes, const Job& job);

} // namespace lapidary
