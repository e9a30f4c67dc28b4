// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run_flags.h"
#include "transforms/accuracy/noise_meter.h"

#include <string>
#include <vector>

namespace lapidary {

// The flags, as they were written, of the verbs that measure noise on generated inputs.
struct ProbeFlags {
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::string range;   // LOW,HIGH
    std::string samples; // a folder
    std::size_t probes = ProbePlan().count;
    std::uint64_t seed = ProbePlan().seed;
    RunFlags run;
};
// Adds --inputs, --outputs, --probes, --seed, --input-range and addFeedOptions().
void addProbeOptions(CLI::App& options, ProbeFlags& flags);
// Returns the plan that the flags describe. Errors name the flag.
Result<ProbePlan> planOf(const ProbeFlags& flags);

} // namespace lapidary
