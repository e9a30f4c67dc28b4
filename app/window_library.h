// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

namespace lapidary {

// The type and the name of the function that the window's library exports.
using WindowMain = int (*)(int argc, char** argv);
inline constexpr const char* windowMainName = "lapidaryWindowMain";

// Runs the window or the painting verb, depending on the arguments. All code that needs Qt is in a
// library that is loaded here: without it the other verbs start in a tenth of the time. `err` gets
// the name of a library that is missing or cannot be loaded.
int runWindowLibrary(int argc, char** argv, std::ostream& err);

} // namespace lapidary
