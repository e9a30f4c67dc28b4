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

// All that a result was made of.
struct Reproduction {
    std::filesystem::path input;            // a file, or a folder of one model
    std::optional<std::size_t> graphNumber; // of an input that holds several
    std::vector<std::string> inputs;        // as the passes took them
    std::vector<std::string> outputs;
    Recipe recipe; // presets already fitted to the model
    std::filesystem::path result;
    bool isText = false;      // the result was asked for as text
    std::string resultSha256; // of the bytes that were written
    std::string version;      // of the program
};

// A word as a POSIX shell reads it back.
std::string shellQuoted(std::string_view word);
// The command that makes the result, on one line.
std::string transformCommand(const Reproduction& made);
// A shell script that makes the result again: it checks the SHA-256 of everything that is read,
// runs the command, and keeps what it made only where that has the SHA-256 of the result. Reads the
// input files, and the checkpoints that the recipe names.
Result<std::string> reproScript(const Reproduction& made, const Job& job);
// Writes the script as a file that can be run.
Status writeReproScript(const std::filesystem::path& path, std::string_view script);

// SHA-256 of the graph as it is written to a file, without having all of it in memory where it is
// binary.
Result<std::string> graphSha256(const Graph& graph, bool asText, const Job& job);

} // namespace lapidary
