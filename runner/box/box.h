// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "runner/box/grants.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// How a boxed process ended.
struct BoxEnd {
    int exitCode = 0;
    int signal = 0;           // the signal that ended it; 0: it ended by itself
    std::string node;         // "NAME (OP)": the node that it was running; empty: none
    bool isCancelled = false; // SIGINT or SIGTERM came
    bool isTimedOut = false;  // it was killed because it did not keep its own time limit
};

// The side of enterBox() on which the process is.
struct BoxSide {
    std::optional<BoxEnd> end;        // only set outside: the boxed process has ended
    std::vector<std::string> missing; // inside: see restrictProcess()
};

// Splits this process in two, as fork() does. The inner process goes on within the grants. Files
// that it writes with writeFileAtomically() are written by the outer one, which waits until the
// inner one has ended. The outer one passes on SIGINT and SIGTERM, and kills the inner one if it
// has not ended a second and a half after them, or two seconds after `timeLimit` (zero: none). It
// also kills the inner one when the other end of `socket`, which the two may share, is closed. The
// process must have one thread, and should block these signals. After an error there is still only
// one process.
Result<BoxSide> enterBox(const BoxGrants& grants, std::chrono::duration<double> timeLimit,
                         int socket = -1);

// Returns an end by a signal in words, "crashed (SIGSEGV)"; empty if there is nothing to say.
std::string endText(const BoxEnd& end);
// Returns it as a sentence: "a/b (Conv2D): the graph crashed (SIGSEGV)".
std::string endSentence(const BoxEnd& end);

} // namespace lapidary
