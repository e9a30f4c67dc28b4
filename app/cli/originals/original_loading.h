// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <string>

namespace lapidary {

// Loads a graph as TensorFlow's C++ tools do: only a GraphDef, binary first, then text, whatever
// the file's name. Accepts and rejects the same files as the original: a binary file that was cut
// at the end of a field is accepted, an unknown field in a text is not. Errors have the original's
// wording.
Result<GraphPtr> loadAsOriginal(const std::string& path, const Job& job);
// Does the same for tools that read only binary files; the wording of its errors is different.
Result<GraphPtr> loadBinaryAsOriginal(const std::string& path, const Job& job);

} // namespace lapidary
