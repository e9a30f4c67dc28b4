// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"
#include "graph_model/tensor/shape.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lapidary {

// Tells whether the original's estimate counts an op: Conv2D, DepthwiseConv2dNative, MatMul and the
// quantized Conv2D and MatMul. All others are free.
bool hasFlops(std::string_view op);
// Returns the original's estimate for one execution, two operations for each multiplication and
// addition. Nothing if a size that it needs is unknown or the count does not fit.
std::optional<std::int64_t> flopsOf(const Node& node, std::span<const Shape> inputs,
                                    const Shape& output);

} // namespace lapidary
