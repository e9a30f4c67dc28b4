// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <functional>
#include <string_view>

namespace lapidary {

// Takes the next bytes; the source stops at the first error.
using ByteSink = std::function<Status(std::string_view)>;
// Gives all of its bytes to a sink, piece by piece, so that they need not be in memory at once.
using ByteSource = std::function<Status(const ByteSink&)>;

} // namespace lapidary
