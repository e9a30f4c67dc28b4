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
    int signal = 0;           // that ended it; 0: it ended by itself
    std::string node;         // "NAME (OP)" that it was running; empty: none
    bool isCancelled = false; // SIGINT or SIGTERM came
    bool isTimedOut = false;  // it was ended because it did not heed its own limit
};

// Tells on which side of enterBox() the process is.
struct BoxSide {
    std::optional<BoxEnd> end;        // set outside: the boxed process has ended
    std::vector<std::string> missing; // inside: what this system cannot take away, in words
};

// Splits this process in two, as fork() does. The inner one goes on within the grants; what it
// writes with writeFileAtomically() is written by the outer one, which waits until the inner one
// has ended: it passes on SIGINT and SIGTERM, and kills what has not ended a second and a half
// after them, or two seconds after `timeLimit` (zero: none). It also kills the inner one when the
// other end of `socket`, which the two may share, is closed. The process must have one thread, and
// should block these signals. An error: nothing was split.
Result<BoxSide> enterBox(const BoxGrants& grants, std::chrono::duration<double> timeLimit,
                         int socket = -1);

// Describes an end by a signal in words: "crashed (SIGSEGV)"; empty where there is nothing to say.
std::string endText(const BoxEnd& end);
// Describes it in a sentence: "a/b (Conv2D): the graph crashed (SIGSEGV)".
std::string endSentence(const BoxEnd& end);

} // namespace lapidary
