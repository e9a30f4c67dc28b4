// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"
#include "graph_model/graph/graph.h"

#include <string>

namespace lapidary {

// Writes the graph to `path`: as text if requested or if it has the extension of text, else in
// binary form; "-" is standard output. Returns the exit code; prints errors.
int writeGraph(const Graph& graph, const std::string& path, bool asText, Console& console);

// Returns an error message if OUT is a file of the model that is read, under whatever name; empty
// if it is another file. "-" and an empty name are never the same.
std::string overwritten(const std::string& model, const std::string& out);

// Tells whether writeGraph() writes text.
bool writesText(const std::string& path, bool asText);

} // namespace lapidary
