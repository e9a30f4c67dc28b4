// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace lapidary {

// Returns the first readers of a node, for rules that examine all of them. If each reader is
// compared with all the others, a node with many would take quadratic time; no real network has so
// many.
inline std::span<const Consumer> firstReaders(const Graph& graph, NodeId id)
{
    constexpr std::size_t most = 1000;
    const std::span<const Consumer> readers = graph.consumers(id);
    return readers.first(std::min(readers.size(), most));
}

} // namespace lapidary
