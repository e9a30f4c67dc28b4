// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/read/model_file.h"

#include <optional>

namespace lapidary {

// Returns the graph to draw instead of one that calls functions: the network of its signature
// (servedNetwork), with the loops and branches that call functions inlined, as those of TensorFlow
// 1 are. If there is no such network, returns the same graph with its calls, loops and branches
// inlined. Returns nothing if that is the graph itself. The result is only for display.
std::optional<GraphEntry> drawnNetwork(const GraphEntry& entry, const Job& job);

} // namespace lapidary
