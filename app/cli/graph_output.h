// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"
#include "graph_model/graph/graph.h"

namespace lapidary {

// Writes the graph to `path`: as text where that is asked for or the name ends so, else binary; "-"
// is standard output. Returns the exit code; complains.
int writeGraph(const Graph& graph, const std::string& path, bool asText, Console& console);

// Whether that is as text.
bool writesText(const std::string& path, bool asText);

} // namespace lapidary
