// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/boxed/message.h"

#include <string>

namespace lapidary {

// The name of this work in the first message.
inline constexpr const char* stepsWork = "steps";

// The inside of StepProcess: computes tensors of the graph of a file, from the feeds that `asked`
// tells, as often as it is asked on standard input.
[[noreturn]] void serveSteps(const Message& asked, const std::string& graphFile);

} // namespace lapidary
