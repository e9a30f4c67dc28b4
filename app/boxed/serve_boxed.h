// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace lapidary {

// Tells whether the program was called by another process of it to run a graph, as boxed_runs.h
// does.
bool isBoxedWork(std::span<const std::string> arguments);

// Runs the graph in a sandbox; writes the answer to standard output and progress to standard error.
// Returns the exit code. The process must have one thread.
int serveBoxedWork(std::span<const std::string> arguments);

} // namespace lapidary
