// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "runner/profile/benchmark_log.h"
#include "runner/profile/statistics.h"

#include <optional>
#include <string>
#include <string_view>

namespace lapidary {

// A profile from a file. Either `step` or `log` has a value.
struct ReadProfile {
    std::string kind; // "RunMetadata", "Chrome trace", "benchmark log"
    std::optional<StepRecords> step;
    std::optional<BenchmarkLog> log;
};

// Reads a profile, whose format is recognized by the content: RunMetadata (binary or text), Chrome
// traces and timelines (JSON), logs.
Result<ReadProfile> readProfile(std::string_view bytes, const Job& job);

} // namespace lapidary
