// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/profile/benchmark_log.h"
#include "runner/profile/run_profile.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// One node of a profile, wherever it was measured. Times are whole nanoseconds of all runs
// together, so that their sums are exact.
struct ProfiledNode {
    std::string name; // "function/node" within functions
    std::string op;
    std::string output;     // of port 0: "1×112×112×64"; empty: not known
    std::int64_t order = 0; // position of its first execution, from 1
    std::int64_t calls = 0; // executions per run
    std::int64_t nanoseconds = 0;
    std::optional<std::int64_t> least; // nanoseconds of the fastest run
    std::optional<std::int64_t> most;
    std::uint64_t bytes = 0;           // bytes of its outputs in a run
    std::optional<std::int64_t> flops; // operations of one execution
    bool isInFunction = false;         // in the body of a library function, if known
};

// One execution in the newest run.
struct ProfiledSlice {
    std::uint32_t row = 0;             // index of the node in NodeProfile::nodes
    std::uint32_t lane = 0;            // a thread, or a device
    std::int64_t startNanoseconds = 0; // since the first slice
    std::int64_t nanoseconds = 0;

    std::int64_t end() const { return startNanoseconds + nanoseconds; }
};

// The common form of all profiles.
struct NodeProfile {
    std::string source;              // "run here", "benchmark log", "RunMetadata"
    std::vector<ProfiledNode> nodes; // in the order of their first execution
    std::int64_t runs = 1;
    std::int64_t outsideNanoseconds = 0; // time of all runs outside of nodes
    std::uint64_t peakBytes = 0;         // 0: not known
    // Sorted by their start; empty if the source does not say when nodes ran.
    std::vector<ProfiledSlice> slices;
    std::vector<std::string> lanes; // names of the threads or devices

    std::int64_t nodeNanoseconds() const; // sum over all nodes and runs
};
using NodeProfilePtr = std::shared_ptr<const NodeProfile>;

NodeProfile nodeProfile(const RunProfile& profile);
NodeProfile nodeProfile(const StepRecords& step, std::string source);
NodeProfile nodeProfile(const BenchmarkLog& log);

// Returns the newest run of a profile, with a thread for each lane and a record for each slice.
StepRecords stepRecords(const NodeProfile& profile);

} // namespace lapidary
