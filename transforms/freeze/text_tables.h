// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph_edit.h"
#include "graph_model/read/model_file.h"

#include <filesystem>
#include <string_view>

namespace lapidary {

bool fillsTableFromText(std::string_view op); // InitializeTableFromTextFile, either version

// Gives the tables that the graph fills from text files of the model (InitializeTableFromTextFile)
// the keys and values of these files as constants, so that the graph no longer needs the files.
// `graph` is the graph of the entry, or was made from it and kept its names. `model` is the file or
// folder that the entry was read from; only files in its folder "assets" are read. If a file is
// unknown, missing or does not suit the table, the node that reads it stays as it is.
Result<EditResult> withTextTables(const GraphPtr& graph, const GraphEntry& entry,
                                  const std::filesystem::path& model, const Job& job);

} // namespace lapidary
