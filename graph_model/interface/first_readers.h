// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace lapidary {

// The readers of a node that others are judged by. Where each reader is asked about all the others,
// those of one node would take the square of their number; no network has so many.
inline std::span<const Consumer> firstReaders(const Graph& graph, NodeId id)
{
    constexpr std::size_t most = 1000;
    const std::span<const Consumer> readers = graph.consumers(id);
    return readers.first(std::min(readers.size(), most));
}

} // namespace lapidary
