// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/read/model_file.h"
#include "runner/setup/compute_tensors.h"

#include <memory>
#include <string>
#include <vector>

namespace lapidary {

// Computes the values of one document in a sandboxed process (boxed_runs.h) that lives from one
// step to the next and keeps the graph and the values it computed, so that a step costs only
// its own nodes. It serves one graph with one set of feeds, and has the files of these: for
// anything else it is replaced by another one, as it is after a crash, or if it did not stop in
// time.
class StepProcess {
public:
    StepProcess();
    ~StepProcess();

    // Does computeTensors() for a graph that was read from `path`. May be called from any thread,
    // by one at a time.
    Result<std::vector<ComputedOutput>> compute(const GraphEntry& entry, const std::string& path,
                                                const TensorRequest& request, const Job& job);
    // Ends the process, unless it computes; the next step starts another one.
    void end();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lapidary
