// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lapidary::testing {

// Crossings of drawn edges for every scope of every model, ours and dot's on the same prepared
// input (dot's own count after its crossing minimization, which is below what it draws). False
// where there was nothing to compare: without dot, or without a crossing.
bool printCrossingTable(const std::string& modelFolder);

} // namespace lapidary::testing
