// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/shapes/inferred_shapes.h"
#include "runner/feeds/feed.h"

#include <optional>
#include <utility>
#include <vector>

namespace lapidary {

// Proposes a shape with every size for an input that leaves some open: a batch of 1, a common size
// of pictures or sequences, or what the constants that the input meets require, whichever the rest
// of the graph does not contradict. Returns nothing if each is contradicted. `given`: shapes of
// other inputs. Costs a dozen times as much as inferring shapes.
Result<std::optional<Shape>> proposedShape(const Graph& graph, const FeedTarget& input,
                                           const std::vector<std::pair<Endpoint, Shape>>& given,
                                           const Job& job);

} // namespace lapidary
