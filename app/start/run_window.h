// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

// Opens the window on the files among the arguments (without verb); `--script FILE` drives it.
// Returns the exit code of the program.
int runWindow(int argc, char** argv);

} // namespace lapidary
