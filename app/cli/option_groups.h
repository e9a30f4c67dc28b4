// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace lapidary {

// Groups the options of a verb that has many under headings, and names the value of each in one
// word.
void groupOptions(CLI::App& options);

// Returns the help of a verb, without marks that only tell how a flag is parsed.
std::string readableHelp(const CLI::App& options);

} // namespace lapidary
