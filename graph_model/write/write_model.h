// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/read/model_file.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lapidary {

// Returns the GraphDef message; nodes as in their file, unknown fields included. Deterministic.
std::string encodeGraphDef(const Graph& graph);
// Returns the same in protobuf's text form. `dropped` receives the name of each field that the text
// form cannot express.
Result<std::string> graphDefText(const Graph& graph, std::vector<std::string>* dropped = nullptr);

// Return the same message as in the file (MetaGraphDef, SavedModel, GraphDef), binary or text.
Result<std::string> encodeModel(const ModelFile& file);
Result<std::string> modelText(const ModelFile& file, std::vector<std::string>* dropped = nullptr);

// Returns whether graphs are written to this path as text: .pbtxt and .txt.
bool isTextPath(const std::filesystem::path& path);
// Writes to a temporary name beside `path` and renames it; removes the temporary file on failure.
Status writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

} // namespace lapidary
