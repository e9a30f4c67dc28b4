// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <string>

namespace lapidary {

// Returns the message of an error, followed by the flag that remedies it, if there is one.
std::string messageWithRemedy(const Error& error);

} // namespace lapidary
