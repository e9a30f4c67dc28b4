#pragma once

#include "graph_model/base/job.h"
#include "runner/profile/benchmark_log.h"
#include "runner/profile/statistics.h"

#include <optional>
#include <string>
#include <string_view>

namespace lapidary {

// A profile that was measured elsewhere, or by us before. One of the two has a value.
struct ReadProfile {
    std::string kind; // "RunMetadata", "Chrome trace", "benchmark log"
    std::optional<StepRecords> step;
    std::optional<BenchmarkLog> log;
};

// Decides by content: RunMetadata (binary or text), Chrome traces and timelines (JSON), logs.
Result<ReadProfile> readProfile(std::string_view bytes, const Job& job);

} // namespace lapidary
