// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace lapidary {

// `lapidary keys`: prints the handbook's tables of the window's actions. Takes the arguments after
// the verb; returns the exit code of the program.
int runKeys(std::span<const std::string> arguments);

} // namespace lapidary
