// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/autopilot.h"
#include "transforms/classify/evaluate_folder.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The limit of the size of a file, or of the time of its run.
struct SizeBudget {
    bool isCompressed = false; // the size after gzip
    bool isTime = false;       // of a run on this machine: `times` faster, or `bytes` nanoseconds
    double times = 0;          // how many times smaller than the original; 0: see `bytes`
    std::int64_t bytes = 0;

    std::int64_t most(std::int64_t original) const; // bytes
};
// Parses "3.7x", "1.2MB", "500kB" or "800B"; returns nothing for other texts.
std::optional<SizeBudget> parseSize(std::string_view text);
// Reads a budget after "size=" or "gzip=", and "2x", "5ms" or "800us" after "time=".
std::optional<SizeBudget> parseSizeBudget(std::string_view text);
// Parses a share of answers, "0.5%" or "0.005".
std::optional<double> parseLoss(std::string_view text);

// Everything that determines a search of runAutopilot(), without functions: front ends fill it in,
// and it can be sent to another process.
struct AutopilotTask {
    // The following are copied to AutopilotOptions. The budget's limits depend on the original.
    ProbePlan probes;
    bool mayUseFewerProbes = false;
    double mostLoss = AutopilotOptions().mostLoss;
    std::optional<double> leastDb;
    std::optional<SizeBudget> size;
    double seconds = AutopilotOptions().seconds;
    std::vector<std::string> kept;
    // The pictures on which right answers are counted; none if its `images` are empty.
    PictureFolder folder;
    ClassifyPlan classify;
    std::vector<std::string> inputs; // empty: the likely ones
    std::vector<std::string> outputs;
};

// Returns options with the limits of the task only, for an original of these sizes. `known` has the
// bytes, and the nanoseconds if they were measured.
AutopilotOptions limitsOf(const AutopilotTask& task, const Autopilot& known);

// Called with the results so far: once the original was measured, and again for each point, which
// is then the last one. No point is chosen yet.
using HearAutopilot = std::function<void(const Autopilot&)>;

// runAutopilot() for a graph that was read from `path`. Errors of the picture folder name the file.
Result<Autopilot> runAutopilotTask(const GraphEntry& entry, const std::string& path,
                                   const AutopilotTask& task, const HearAutopilot& hear,
                                   const Job& job);

} // namespace lapidary
