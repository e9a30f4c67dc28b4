// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <string>

namespace lapidary {

// Loads a graph as TensorFlow's C++ tools do: a GraphDef and nothing else, binary first, then text,
// whatever the file's name. Takes and refuses what the original takes and refuses: a binary file
// that was cut where a field ends is fine, an unknown field of a text is not. Errors have the
// original's wording.
Result<GraphPtr> loadAsOriginal(const std::string& path, const Job& job);
// Does the same for tools that read only binary files; says why in words of its own.
Result<GraphPtr> loadBinaryAsOriginal(const std::string& path, const Job& job);

} // namespace lapidary
