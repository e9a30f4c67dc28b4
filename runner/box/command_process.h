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

// One call of a program, for a process with threads, which cannot enter a box itself: the window
// has a verb of the command line do what runs a graph, and that enters one.
struct Command {
    std::filesystem::path program;      // ownProgram() for this one
    std::vector<std::string> arguments; // without the program's name
    // Passed to the program without a file on a disk: "{0}" in an argument becomes the path of the
    // first one, and so on. The bytes must live until the call returns.
    std::vector<ByteSource> inputs;
    // Receives what it writes to standard error while it runs, instead of CommandEnd::err.
    std::function<void(std::string_view)> hearErr = {};
    std::chrono::seconds timeLimit{0}; // after which it is killed; 0: none
};
// All at once. They must last as long as the source.
ByteSource sourceOf(std::string_view bytes);

struct CommandEnd {
    int exitCode = 0;
    int signal = 0; // that ended it; 0: it ended by itself
    std::string out;
    std::string err;
};

// Runs it to its end, without an input from the terminal. A cancelled job kills it within 50 ms;
// past its time limit that is ErrorReason::TimeLimit. `mostOutput`: bytes of `out` beyond which it
// is killed, which is an error.
Result<CommandEnd> runCommand(const Command& command, const Job& job,
                              std::size_t mostOutput = std::size_t(256) << 20);

// The file of the program that runs.
std::filesystem::path ownProgram();

} // namespace lapidary
