// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/boxed/message.h"

#include <string>

namespace lapidary {

// The name of this kind of work in the first message.
inline constexpr const char* stepsWork = "steps";

// The other end of a StepProcess: computes tensors of the graph in a file, from the feeds in
// `asked`, for each request on standard input.
[[noreturn]] void serveSteps(const Message& asked, const std::string& graphFile);

} // namespace lapidary
