// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/read/model_file.h"

#include <optional>

namespace lapidary {

// What is drawn of a graph that calls functions: the network of its signature (servedNetwork), with
// the loops and branches that call functions opened in place, as those of TensorFlow 1 are. Of a
// graph without such a network, the same graph with its calls, loops and branches opened. Nothing
// where that is the graph itself. It is made to be looked at.
std::optional<GraphEntry> drawnNetwork(const GraphEntry& entry, const Job& job);

} // namespace lapidary
