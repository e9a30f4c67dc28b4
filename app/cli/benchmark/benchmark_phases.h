// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/benchmark/benchmark_flags.h"
#include "graph_model/base/job.h"
#include "runner/profile/run_profile.h"

#include <functional>
#include <string>

namespace lapidary {

struct PhaseLimits {
    int maxRuns = 0;        // 0 or less: no limit
    double maxSeconds = -1; // for all runs together; 0 or less: no limit
    double sleepSeconds = -1;
};

struct BenchmarkTimes {
    Series warmup; // microseconds
    Series plain;
    Series traced;
};

using SayLine = std::function<void(const std::string& line)>;

// Runs the warm-up, the runs without statistics and those with statistics; announces and summarizes
// each phase as the original does (spec: tools, 1.2). Only the runs are timed.
Result<BenchmarkTimes> runPhases(Session& session, const RunRequest& request,
                                 const BenchmarkFlags& flags, RunProfile& profile,
                                 const SayLine& say, const Job& job);

// Returns "Average inference timings in us: Warmup: ..., no stats: ..., with stats: ...".
std::string averagesText(const BenchmarkTimes& times, int warmupRuns);

// Writes the files of --benchmark_name and --output_prefix (spec: tools, 1.4).
Status writeResultFiles(const BenchmarkFlags& flags, const BenchmarkTimes& times,
                        double sessionSeconds, const Value* firstInput, const RunProfile& profile);

} // namespace lapidary
