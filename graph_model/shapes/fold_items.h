// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"
#include "graph_model/shapes/shape_facts.h"

#include <span>
#include <vector>

namespace lapidary {

// Computes the integer outputs of an op from integers, some of which may be unknown. Returns one
// list for each known output; nothing if the op is not one of those that compute shapes, or nothing
// is known.
std::vector<std::vector<std::int64_t>> foldItems(const Node& node,
                                                 std::span<const TensorState> inputs,
                                                 std::span<const TensorState> outputs);

} // namespace lapidary
