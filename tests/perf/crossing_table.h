// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lapidary::testing {

// Counts crossings of drawn edges in every scope of every model, ours and dot's, on the same
// prepared input (dot's own count after its crossing minimization, which is lower than what it
// draws). Returns false if nothing could be compared: without dot, or without a crossing.
bool printCrossingTable(const std::string& modelFolder);

} // namespace lapidary::testing
