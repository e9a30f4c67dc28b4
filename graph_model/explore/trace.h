// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <span>
#include <vector>

namespace lapidary {

struct TraceOptions {
    bool control = true; // follow control edges too
};

// Returns one flag for each node: whether the nodes of `from` depend on it, themselves included.
// O(nodes + edges).
Result<std::vector<bool>> traceUp(const Graph& graph, std::span<const NodeId> from,
                                  const TraceOptions& options, const Job& job);
// Flags all nodes that depend on the nodes of `from`, and these themselves.
Result<std::vector<bool>> traceDown(const Graph& graph, std::span<const NodeId> from,
                                    const TraceOptions& options, const Job& job);

struct PathsBetween {
    bool isReversed = false;      // the paths lead from the second node to the first
    std::vector<bool> nodes;      // one flag for each node: on any path; all false if there is none
    std::vector<NodeId> shortest; // one of the shortest paths, with both end nodes; empty: none
};
// Returns every path from `a` to `b` or, if there is none, from `b` to `a`.
Result<PathsBetween> pathsBetween(const Graph& graph, NodeId a, NodeId b,
                                  const TraceOptions& options, const Job& job);

} // namespace lapidary
