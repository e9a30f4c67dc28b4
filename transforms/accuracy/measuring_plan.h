// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/autopilot.h"

namespace lapidary {

// The measurements that a search over the layers of a graph is expected to have time for. They are
// computed from the operations and the weights, so that they are the same on every machine and a
// search finds the same points again.
struct MeasuringPlan {
    std::size_t probes = 0;       // those of the options, halved as long as they are too many
    std::size_t measurements = 0; // of a layer in a form
};

MeasuringPlan measuringPlan(const Graph& graph, const AutopilotOptions& options, const Job& job);

} // namespace lapidary
