// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <string>

namespace lapidary {

// Writes an event file with the graph, named after the time and this machine, into the folder,
// which is made if it is not there. Returns its path.
Result<std::string> writeEvents(const Graph& graph, const std::string& folder);

} // namespace lapidary
