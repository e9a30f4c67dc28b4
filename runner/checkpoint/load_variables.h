#pragma once

#include "graph_model/read/model_file.h"
#include "runner/execute/session.h"

#include <filesystem>

namespace lapidary {

// Gives a session what TensorFlow's loader gives it before the first run (spec: tools, 11.2): the
// variables of the checkpoint that lies with the model, its assets, its init operation. Does
// nothing for graphs without variables and init operation. The session's folder must be the
// model's. `path` is the file or folder the graph was read from.
Status loadVariables(Session& session, const GraphEntry& entry, const std::filesystem::path& path,
                     const Job& job);

// The prefix or pattern of that checkpoint; empty where there is none.
std::filesystem::path checkpointBeside(const std::filesystem::path& path);

} // namespace lapidary
