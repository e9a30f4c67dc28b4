// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/read/model_file.h"
#include "runner/setup/compute_tensors.h"

#include <memory>
#include <string>
#include <vector>

namespace lapidary {

// Computes the values of one document in a sandboxed process (boxed_runs.h). The process
// stays alive between steps and keeps the graph and the values that it computed, so that a
// step costs only its own nodes. It serves one graph with one set of feeds, and can read only
// their files: another one replaces it for anything else, after a crash, or if it did not
// stop in time.
class StepProcess {
public:
    StepProcess();
    ~StepProcess();

    // Calls computeTensors() for a graph that was read from `path`. May be called from any thread,
    // but not concurrently.
    Result<std::vector<ComputedOutput>> compute(const GraphEntry& entry, const std::string& path,
                                                const TensorRequest& request, const Job& job);
    // Ends the process unless it is computing; the next step starts another one.
    void end();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lapidary
