// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"
#include "graph_model/read/file_digest.h"
#include "transforms/recipe/recipe.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Everything that is needed to make a result again.
struct Reproduction {
    std::filesystem::path input;            // a file, or a folder of one model
    std::optional<std::size_t> graphNumber; // of an input that holds several
    std::vector<std::string> inputs;        // as the passes took them
    std::vector<std::string> outputs;
    Recipe recipe; // presets already fitted to the model
    std::filesystem::path result;
    bool isText = false;      // the result is a text file
    std::string resultSha256; // of the bytes that were written
    std::string version;      // of the program
};

// Returns the word quoted for a POSIX shell.
std::string shellQuoted(std::string_view word);
// Returns the command that makes the result, on one line.
std::string transformCommand(const Reproduction& made);
// Returns a shell script that makes the result again: it checks the SHA-256 of everything that is
// read, runs the command, and keeps the file only if it has the SHA-256 of the result. Reads the
// input files, and the checkpoints that the recipe names.
Result<std::string> reproScript(const Reproduction& made, const Job& job);
// Writes the script as an executable file.
Status writeReproScript(const std::filesystem::path& path, std::string_view script);

// Returns the SHA-256 of the graph's file. A binary file is not built in memory as a
// whole.
Result<std::string> graphSha256(const Graph& graph, bool asText, const Job& job);

} // namespace lapidary
