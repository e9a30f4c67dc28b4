// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"
#include "graph_model/shapes/shape_facts.h"

#include <span>
#include <vector>

namespace lapidary {

// The integers that an op computes from integers of which some may not be known; nothing where the
// op is not among those that say shapes, or nothing is known. One list for each output it knows.
std::vector<std::vector<std::int64_t>> foldItems(const Node& node,
                                                 std::span<const TensorState> inputs,
                                                 std::span<const TensorState> outputs);

} // namespace lapidary
