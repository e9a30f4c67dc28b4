#pragma once

#include "graph_model/base/result.h"
#include "graph_model/read/model_file.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lapidary {

// The GraphDef message; nodes as they were read, unknown fields included. Deterministic.
std::string encodeGraphDef(const Graph& graph);
// Protobuf text form of the same. `dropped` names each field the text form cannot carry.
Result<std::string> graphDefText(const Graph& graph, std::vector<std::string>* dropped = nullptr);

// The same message as the file's (MetaGraphDef, SavedModel, GraphDef), binary or text.
Result<std::string> encodeModel(const ModelFile& file);
Result<std::string> modelText(const ModelFile& file, std::vector<std::string>* dropped = nullptr);

// Writes to a temporary name beside `path` and renames; removes the temporary file on failure.
Status writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

} // namespace lapidary
