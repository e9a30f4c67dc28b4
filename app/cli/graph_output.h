// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"
#include "graph_model/graph/graph.h"

#include <string>

namespace lapidary {

// Writes the graph to `path`: as text where that is asked for or the name ends so, else binary; "-"
// is standard output. Returns the exit code; complains.
int writeGraph(const Graph& graph, const std::string& path, bool asText, Console& console);

// Returns what is wrong with an OUT that is a file of the model that is read, whatever it is
// called; empty if it is another file. "-" and an empty name are never the same.
std::string overwritten(const std::string& model, const std::string& out);

// Returns whether it is written as text.
bool writesText(const std::string& path, bool asText);

} // namespace lapidary
