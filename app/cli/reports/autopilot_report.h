// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb_call.h"
#include "transforms/accuracy/autopilot.h"

#include <iosfwd>
#include <string>

namespace lapidary {

// Returns one line about a point that was verified.
std::string pointLine(const AutopilotPoint& point);
// Prints the front, the chosen point and the forms of its layers.
void printAutopilot(const Autopilot& found, std::ostream& out);
Json autopilotJson(const Autopilot& found);

} // namespace lapidary
