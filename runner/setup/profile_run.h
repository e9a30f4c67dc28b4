// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/interface/interface_flags.h"
#include "graph_model/read/model_file.h"
#include "runner/profile/node_profile.h"

#include <cstdint>
#include <string>

namespace lapidary {

struct ProfileRunOptions {
    int threads = 1;
    std::uint64_t memoryLimit = std::uint64_t(4) << 30; // bytes of all live tensors
    int warmups = 1;
    int mostRuns = 10;
    double mostSeconds = 2; // no run begins after that, except the first one
};

// Runs a graph with random numbers in its chosen inputs, and measures every node. `path`: the file
// or folder of the model, for its variables and files. Errors: ErrorReason::NoOutputs if no output
// is chosen, and those of prepareRun(). Progress is by executed nodes.
Result<NodeProfilePtr> profileRun(const GraphEntry& entry, const std::string& path,
                                  const InterfaceChoice& choice, const ProfileRunOptions& options,
                                  const Job& job);

} // namespace lapidary
