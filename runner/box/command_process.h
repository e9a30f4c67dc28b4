// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/write/byte_source.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// One call of a program. A process with threads cannot enter a box itself: to run a graph, the
// window calls a verb of the command line, which enters one.
struct Command {
    std::filesystem::path program;      // ownProgram() for this one
    std::vector<std::string> arguments; // without the program's name
    // Contents of files that are passed to the program without being stored on a disk: "{0}" in an
    // argument becomes the path of the first one, and so on. The bytes must live until the call
    // returns.
    std::vector<ByteSource> inputs;
    // If set, gets the standard error of the program while it runs, instead of CommandEnd::err.
    std::function<void(std::string_view)> hearErr = {};
    std::chrono::seconds timeLimit{0}; // the program is killed after it; 0: none
};
// Returns a source that gives all bytes at once. They must last as long as the source.
ByteSource sourceOf(std::string_view bytes);

struct CommandEnd {
    int exitCode = 0;
    int signal = 0; // the signal that ended it; 0: it ended by itself
    std::string out;
    std::string err;
};

// Runs the command to its end, without input from the terminal. A cancelled job kills it within
// 50 ms. Errors: ErrorReason::TimeLimit if it is killed at its time limit, and more than
// `mostOutput` bytes of `out`, for which it is killed, too.
Result<CommandEnd> runCommand(const Command& command, const Job& job,
                              std::size_t mostOutput = std::size_t(256) << 20);

// Returns the executable file of this process.
std::filesystem::path ownProgram();

} // namespace lapidary
