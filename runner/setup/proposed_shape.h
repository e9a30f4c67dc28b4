// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/shapes/inferred_shapes.h"
#include "runner/feeds/feed.h"

#include <optional>
#include <utility>
#include <vector>

namespace lapidary {

// A shape with every size for an input that leaves some open: a batch of 1, a common size of
// pictures or sequences, or what the constants say that the input meets, whichever the rest of the
// graph does not contradict. Nothing where each is contradicted. `given`: shapes of other inputs.
// A dozen times the cost of inferring shapes.
Result<std::optional<Shape>> proposedShape(const Graph& graph, const FeedTarget& input,
                                           const std::vector<std::pair<Endpoint, Shape>>& given,
                                           const Job& job);

} // namespace lapidary
