// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

// Opens the window with the files among the arguments (without verb); with `--script FILE`, a
// script controls it. Returns the exit code of the program.
int runWindow(int argc, char** argv);

} // namespace lapidary
