// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// One command of a script.
struct ScriptLine {
    int number = 0; // in the file, from 1
    std::string command;
    std::vector<std::string> arguments;
};

// Splits a line into words at blanks; a word that begins with a quotation mark is a JSON string.
// Returns none for an empty line and a comment ("#" at the start of a word).
Result<std::optional<ScriptLine>> parseScriptLine(std::string_view text, int number);

// Reads a file of commands; errors name the line.
Result<std::vector<ScriptLine>> readScript(const std::filesystem::path& path);

} // namespace lapidary
