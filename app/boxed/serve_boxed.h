// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace lapidary {

// Returns whether the program was called to run a graph for another process of it, as boxed_runs.h
// does.
bool isBoxedWork(std::span<const std::string> arguments);

// Does that in a sandbox: writes the answer to standard output and progress to standard error.
// Returns the exit code. The process must have one thread.
int serveBoxedWork(std::span<const std::string> arguments);

} // namespace lapidary
