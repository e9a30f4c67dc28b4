// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/shapes/infer_shapes.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lapidary {

// Counts what the operators of a .tflite or .onnx file compute: the operations of the nodes that
// they run as (liftGraph()). By NodeId of `graph`; nothing for an operator of which a size is
// unknown, 0 for those that count none. `shapes`: of `graph`, as for costOf().
Result<std::vector<std::optional<std::int64_t>>>
liftedFlops(const Graph& graph, const InferredShapes& shapes, const Job& job);

} // namespace lapidary
