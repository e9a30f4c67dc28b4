// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/autopilot.h"
#include "transforms/classify/evaluate_folder.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// How small a file is to be, or how long it may run.
struct SizeBudget {
    bool isCompressed = false; // the file that gzip makes of it
    bool isTime = false;       // of a run on this machine: faster, and nanoseconds
    double times = 0;          // so many times smaller than the original; 0: `bytes` says
    std::int64_t bytes = 0;

    std::int64_t most(std::int64_t original) const; // bytes
};
// "3.7x", "1.2MB", "500kB", "800B"; nothing: it is none of them.
std::optional<SizeBudget> parseSize(std::string_view text);
// Reads a budget after "size=" or "gzip=", and "2x", "5ms" or "800us" after "time=".
std::optional<SizeBudget> parseSizeBudget(std::string_view text);
// A share of answers, as in "0.5%" or "0.005".
std::optional<double> parseLoss(std::string_view text);

// Everything that determines a search of runAutopilot(), without functions: front ends fill it in,
// and it can be sent to another process.
struct AutopilotTask {
    // These are copied to AutopilotOptions. The budget's limits depend on the original.
    ProbePlan probes;
    bool mayUseFewerProbes = false;
    double mostLoss = AutopilotOptions().mostLoss;
    std::optional<double> leastDb;
    std::optional<SizeBudget> size;
    double seconds = AutopilotOptions().seconds;
    std::vector<std::string> kept;
    // The folder by which right answers are counted; without images there is none.
    PictureFolder folder;
    ClassifyPlan classify;
    std::vector<std::string> inputs; // empty: the likely ones
    std::vector<std::string> outputs;
};

// The limits of the task for an original of these sizes, without what it takes to search. `known`
// has the bytes, and the nanoseconds where they are known.
AutopilotOptions limitsOf(const AutopilotTask& task, const Autopilot& known);

// Called with the results so far: once the original was measured, and again for each point, which
// is then the last one. No point is chosen yet.
using HearAutopilot = std::function<void(const Autopilot&)>;

// runAutopilot() for a graph that was read from `path`. Errors name the file of the folder, too.
Result<Autopilot> runAutopilotTask(const GraphEntry& entry, const std::string& path,
                                   const AutopilotTask& task, const HearAutopilot& hear,
                                   const Job& job);

} // namespace lapidary
