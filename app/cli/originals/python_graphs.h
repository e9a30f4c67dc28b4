// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/originals/python_flags.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// "a,b" -> a, b; "" -> one empty name, as Python splits.
std::vector<std::string> pythonList(std::string_view text);

bool pathExists(const std::string& path);

// Prints Python's message for a path that does not exist; returns whether it printed.
bool saysIfMissing(const std::string& path, const Console& console);

// Reads a graph; where that fails, tells it as an exception and sets `exitCode`.
std::optional<GraphPtr> loadForPython(const std::string& path, bool isBinary,
                                      const Console& console, int& exitCode);

// The exit code of the exception that a name of a tensor, "x:0", is where names of nodes belong.
std::optional<int> refuseTensorNames(const std::vector<std::string>& nodes, const Console& console);

// The numbers of a flag such as --placeholder_type_enum=1,3. Error: in Python's words.
Result<std::vector<DType>> dtypesOfEnums(std::string_view text);

// Writes the graph; 0, or the exit code of the exception that it tells.
int writeForPython(const Graph& graph, const std::string& path, bool isBinary,
                   const Console& console);

} // namespace lapidary
