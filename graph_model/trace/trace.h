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

// One flag a node: everything that the nodes of `from` depend on, themselves included. O(nodes +
// edges).
Result<std::vector<bool>> traceUp(const Graph& graph, std::span<const NodeId> from,
                                  const TraceOptions& options, const Job& job);
// Everything that depends on the nodes of `from`, themselves included.
Result<std::vector<bool>> traceDown(const Graph& graph, std::span<const NodeId> from,
                                    const TraceOptions& options, const Job& job);

struct PathsBetween {
    bool isReversed = false;      // the paths lead from the second node to the first
    std::vector<bool> nodes;      // one flag a node: on any path; all false where there is none
    std::vector<NodeId> shortest; // one of the shortest paths, ends included; empty: none
};
// Every path from `a` to `b`, or, where there is none, from `b` to `a`.
Result<PathsBetween> pathsBetween(const Graph& graph, NodeId a, NodeId b,
                                  const TraceOptions& options, const Job& job);

} // namespace lapidary
