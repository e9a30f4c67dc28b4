// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/shapes/inferred_shapes.h"
#include "runner/feeds/feed.h"

#include <optional>
#include <utility>
#include <vector>

namespace lapidary {

// Proposes a shape without open sizes for an input that has some: a batch of 1, a common size of
// pictures or sequences, or the size that constants require, whichever the rest of the graph does
// not contradict. Returns nothing if each is contradicted. `given`: shapes of other inputs. Takes a
// dozen times as long as inferring shapes.
Result<std::optional<Shape>> proposedShape(const Graph& graph, const FeedTarget& input,
                                           const std::vector<std::pair<Endpoint, Shape>>& given,
                                           const Job& job);

// Returns how many inputs of a graph are to get a proposal: fewer the larger the graph is, since
// each takes as long as the graph is large. At least one.
std::size_t mostProposals(const Graph& graph);

} // namespace lapidary
