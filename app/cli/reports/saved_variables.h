// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb_call.h"

#include <filesystem>
#include <optional>
#include <string>

namespace lapidary {

// Returns the name that was passed to the saver if `file` is a checkpoint of version 2: its index,
// one of its shards, or that name itself. None for other files.
std::optional<std::filesystem::path> checkpointNamed(const std::string& file);

// Prints the variables of a checkpoint, or one of them with its values. Returns the exit code.
int showCheckpoint(const VerbCall& call, const std::filesystem::path& prefix,
                   const std::string& variable, Console& console);

// Returns type, statistics and values of a variable of the model from the checkpoint beside it;
// null if the node is not a variable or there is no checkpoint.
Result<Json> savedVariableJson(const GraphEntry& entry, NodeId id,
                               const std::filesystem::path& model, const Job& job);

} // namespace lapidary
