// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"
#include "runner/execute/session.h"

#include <filesystem>
#include <string>

namespace lapidary {

// Prepares a session as TensorFlow's loader does before the first run: restores the variables from
// the checkpoint next to the model, feeding the paths of the model's assets, and then runs the init
// operation. A file that has none gets its tables filled: by all tableFillers() if it says
// otherwise how a session begins, by the certainFillers() if it is a graph alone. If the graph has
// no nodes that restore, the variables are read by their names. The session's folder must be the
// model's. `path` is the file or folder that the graph was read from.
Status loadVariables(Session& session, const GraphEntry& entry, const std::filesystem::path& path,
                     const Job& job);

// Returns the prefix or pattern of the checkpoint next to a model; empty if there is none.
std::filesystem::path checkpointBeside(const std::filesystem::path& path);

// Returns the name of a missing file of a checkpoint, "variables.data-00001-of-00002" or
// "variables.data-*"; empty if none is missing. Indices are often published without their data.
std::string missingShard(const std::filesystem::path& checkpoint);
// Returns the sentence that says that `shard`, a missingShard(), is missing.
std::string valuesAreMissing(const std::filesystem::path& checkpoint, const std::string& shard);
// Returns the sentence that says that a SavedModel restores variables but has no checkpoint beside
// it; empty if that is not so.
std::string variablesAreMissing(const GraphEntry& entry, const std::filesystem::path& path);

} // namespace lapidary
