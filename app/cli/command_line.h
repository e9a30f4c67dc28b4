// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"

#include <span>
#include <string>

namespace lapidary {

// The part of the program that answers a call. The window and the verbs that need it are not part
// of the command line proper: builds without Qt have neither.
enum class Destination { CommandLine, WindowVerb, Window };
// arguments[0] is the name that the program was called by, as in main().
Destination destinationOf(std::span<const std::string> arguments);

// Tells whether the called verb or tool starts to watch for signals itself (guard.h).
bool startsGuarded(std::span<const std::string> arguments);

// Runs a verb, or the tool that arguments[0] names ("summarize_graph"), and returns the exit code.
// A call that needs the window returns 2 with a message.
int runCommandLine(std::span<const std::string> arguments, Console& console);

} // namespace lapidary
