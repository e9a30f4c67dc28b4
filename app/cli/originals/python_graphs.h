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

// Splits at commas: "a,b" becomes a, b; "" becomes one empty name, as in Python.
std::vector<std::string> pythonList(std::string_view text);

bool pathExists(const std::string& path);

// Prints Python's message for a path that does not exist; returns whether it printed.
bool saysIfMissing(const std::string& path, const Console& console);

// Reads a graph. If that fails, prints an exception and sets `exitCode`.
std::optional<GraphPtr> loadForPython(const std::string& path, bool isBinary,
                                      const Console& console, int& exitCode);

// If there is the name of a tensor, "x:0", among those of nodes, prints an exception and returns
// its exit code.
std::optional<int> refuseTensorNames(const std::vector<std::string>& nodes, const Console& console);

// Returns the types in a flag such as --placeholder_type_enum=1,3. Errors are in Python's words.
Result<std::vector<DType>> dtypesOfEnums(std::string_view text);

// Writes the graph. Returns 0, or the exit code of the exception that it prints.
int writeForPython(const Graph& graph, const std::string& path, bool isBinary,
                   const Console& console);

} // namespace lapidary
