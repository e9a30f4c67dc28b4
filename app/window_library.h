// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

namespace lapidary {

// Describes what the library of the window exports, and under which name.
using WindowMain = int (*)(int argc, char** argv);
inline constexpr const char* windowMainName = "lapidaryWindowMain";

// Runs the window or the painting verb, as the arguments say. All that needs Qt is in a library
// that is loaded here: the other verbs start in a tenth of the time without it. A library that is
// missing or does not start is named in `err`.
int runWindowLibrary(int argc, char** argv, std::ostream& err);

} // namespace lapidary
