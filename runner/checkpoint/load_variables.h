// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"
#include "runner/execute/session.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lapidary {

// Prepares a session as TensorFlow's loader does before the first run: it restores the variables
// from the checkpoint next to the model, feeding the paths of the model's assets, and then runs the
// init operation, or else fills the tables where fillsTablesFirst(). Where the graph has no nodes
// that restore, the variables are read by their names. Does nothing for graphs without variables
// and init operation. The session's folder must be the model's. `path` is the file or folder that
// the graph was read from.
Status loadVariables(Session& session, const GraphEntry& entry, const std::filesystem::path& path,
                     const Job& job);

// Returns the nodes that tf.tables_initializer() runs: they fill tables from constants, or from
// files that constants name.
std::vector<std::string> tableFillers(const Graph& graph);
// Whether loadVariables() runs these: the file says how a session of the graph begins, but has no
// init operation. A graph alone says nothing of it.
bool fillsTablesFirst(const GraphEntry& entry);

// Returns the prefix or pattern of that checkpoint; empty if there is none.
std::filesystem::path checkpointBeside(const std::filesystem::path& path);

// Returns the name of a file of that checkpoint that is not there, "variables.data-00001-of-00002"
// or "variables.data-*"; empty where all are. Indices are often published without what they index.
std::string missingShard(const std::filesystem::path& checkpoint);
// The sentence that says so.
std::string valuesAreMissing(const std::filesystem::path& checkpoint, const std::string& shard);
// Says that a SavedModel restores variables and has none beside it; empty where that is not so.
std::string variablesAreMissing(const GraphEntry& entry, const std::filesystem::path& path);

} // namespace lapidary
