// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/benchmark/benchmark_phases.h"
#include "app/cli/verb_call.h"
#include "runner/profile/benchmark_log.h"

#include <string>

namespace lapidary {

// The document of `benchmark --json` (and of `--from`): times in microseconds. The node "executor"
// is what the runs took beside the nodes, so that all rows together are the runs' total exactly;
// "groups" are exact sums of the nodes (a scope holds the scopes within it).
Json benchmarkJson(const RunProfile& profile, const BenchmarkTimes& times, std::uint64_t peakBytes);
Json profileJson(const ProfileStatistics& statistics);
Json logJson(const BenchmarkLog& log);

// Prints a document that benchmarkJson() made (readBenchmarkJson()). One line for each node, the
// executor too: name, op, mean.
std::string savedReportText(const Json& report);

// The nodes' share of the runs and what is left for the executor, one line.
std::string shareText(const RunProfile& profile);

// One line a node, with a header.
std::string benchmarkCsv(const RunProfile& profile);

} // namespace lapidary
