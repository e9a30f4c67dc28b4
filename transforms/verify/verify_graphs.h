// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"
#include "runner/setup/run_plan.h"
#include "transforms/verify/verify_runs.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lapidary {

// How two graphs are run and compared.
struct VerifyPlan {
    // The plan of the first graph; its fetches are compared. Both are run unfused, since nodes
    // inside a fusion have no values. Ops without a kernel are reported in the result.
    RunPlan run;
    VerifyOptions options;
    // Each is a sample, in this order: it is fed into the first input that takes pictures. Without
    // pictures the samples differ by the seeds of random inputs; if nothing is random there is one
    // sample.
    std::vector<PictureFeed> pictures;
};

// A graph and the file or folder that it was read from, for its variables and files.
struct VerifiedModel {
    const GraphEntry& entry;
    std::filesystem::path path;
};

// Runs both graphs on the same values. Nodes are matched by name and structure; an input or output
// whose name only one graph has corresponds to the matched node of the other. Errors say which
// graph they come from; those of prepareRun(), and ErrorReason::NoCounterpart.
Result<Verification> verifyGraphs(const VerifiedModel& a, const VerifiedModel& b,
                                  const VerifyPlan& plan, const Job& job);

} // namespace lapidary
