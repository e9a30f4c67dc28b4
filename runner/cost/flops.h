#pragma once

#include "graph_model/graph/node.h"
#include "graph_model/tensor/shape.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lapidary {

// Ops that the original's estimate counts: Conv2D, DepthwiseConv2dNative, MatMul and the quantised
// Conv2D and MatMul. All others are free.
bool hasFlops(std::string_view op);
// The original's estimate for one execution: two for each multiplication and addition. Nothing
// where a size that it needs is not known or the count does not fit.
std::optional<std::int64_t> flopsOf(const Node& node, std::span<const Shape> inputs,
                                    const Shape& output);

} // namespace lapidary
