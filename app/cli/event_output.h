// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <string>

namespace lapidary {

// Writes an event file with the graph into the folder, which is made if necessary. The file is
// named after the time and this machine. Returns its path.
Result<std::string> writeEvents(const Graph& graph, const std::string& folder);

} // namespace lapidary
