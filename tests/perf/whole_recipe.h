// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace lapidary::testing {

struct WholeRun {
    double wall = 0; // seconds
    double cpu = 0;
    double peak = 0; // bytes, pages of mapped files included
};

// Runs the command a few times to its end. Returns the least of each figure, but the largest peak;
// all are zero if it fails.
WholeRun bestOfWholeRuns(const std::vector<std::string>& command, int runs);

} // namespace lapidary::testing
