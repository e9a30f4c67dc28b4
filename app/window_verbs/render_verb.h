// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace lapidary {

// `lapidary render FILE -o x.png|svg|pdf`: paints a graph as the window would, without a display.
// Takes the arguments after the verb; returns the exit code of the program.
int runRender(std::span<const std::string> arguments);

} // namespace lapidary
