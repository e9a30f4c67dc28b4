// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/autopilot.h"

namespace lapidary {

// As many probes as a search over the layers of this graph can be expected to have the time for:
// those of the options, halved while the operations are too many. The same on every machine, so
// that a search finds the same points again.
std::size_t affordableProbes(const Graph& graph, const AutopilotOptions& options, const Job& job);

} // namespace lapidary
