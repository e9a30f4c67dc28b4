// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "transforms/export/loops/loop_frame.h"

#include <optional>
#include <set>

namespace lapidary {

// The number of times that the body of a loop runs.
struct TripCount {
    std::size_t most = 0;
    bool isExact = false; // else the inputs may end the loop earlier
    // Merges of the variables that are the same in each run, as the loop's counter.
    std::set<std::uint32_t> fixedVariables;
};

// Returns nothing if only the inputs end the loop, or if it runs more than 4,096 times. The
// condition may have several parts: `i < min(steps, longest) && !all(finished)` is bounded by
// `steps` for all inputs.
std::optional<TripCount> countTrips(const Graph& graph, const LoopFrame& frame, const Job& job);

// Returns whether a node only carries the loop's variables, in contrast to those of a condition in
// the body.
bool isLoopNode(const Graph& graph, const LoopFrame& frame, NodeId id);

} // namespace lapidary
