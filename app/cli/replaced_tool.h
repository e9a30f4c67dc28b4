// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"

#include <span>
#include <string>
#include <string_view>

namespace lapidary {

// A tool of TensorFlow that this program replaces when it is called by the tool's name: flags, text
// and exit codes are the tool's.
struct ReplacedTool {
    std::string_view name;
    int (*run)(std::string_view calledAs, std::span<const std::string> arguments, Console& console);
    bool runsGraphs = false;
};

// Returns the tools of the folder, sorted by name.
std::span<const ReplacedTool* const> replacedTools();

} // namespace lapidary
