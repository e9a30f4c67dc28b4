// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"

#include <string>
#include <vector>

namespace lapidary {

struct Finished {
    int exitCode = 0; // 128 + the signal if one ended it
    std::string out;
    std::string err;
};

// Runs a program on PATH to its end and returns its output. A cancelled job kills it. Fails if it
// is not found or cannot be started.
Result<Finished> runProcess(const std::vector<std::string>& words, const Job& job);

} // namespace lapidary
