// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace lapidary {

// Puts the options of a verb that has many under headings, and names the value of each in one
// word.
void groupOptions(CLI::App& options);

// The help of a verb without marks that only say how a flag is read.
std::string readableHelp(const CLI::App& options);

} // namespace lapidary
