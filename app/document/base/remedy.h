// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <string>

namespace lapidary {

// Returns the message of an error, followed by what to do about it in the window, if anything.
std::string messageForWindow(const Error& error);

} // namespace lapidary
