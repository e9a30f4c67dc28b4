// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"
#include "graph_model/shapes/inferred_shapes.h"
#include "graph_model/tensor/shape.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lapidary {

// Returns whether an op is counted: those of the original's estimate, which are Conv2D,
// DepthwiseConv2dNative, MatMul and the quantized Conv2D and MatMul, and the gradients of
// convolutions. All others count as 0.
bool hasFlops(std::string_view op);
// Returns the count for one execution, two operations for each multiplication and addition, or
// TensorFlow's own count if it has one. Returns nothing if a needed size is unknown or the count
// does not fit.
std::optional<std::int64_t> flopsOf(const Node& node, std::span<const Shape> inputs,
                                    const Shape& output);
// Does the same for a node of a graph whose shapes are inferred; 0 for one that is not counted.
std::optional<std::int64_t> flopsAt(const Graph& graph, const InferredShapes& shapes, NodeId id);

} // namespace lapidary
