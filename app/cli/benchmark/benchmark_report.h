// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/benchmark/benchmark_phases.h"
#include "app/cli/verb_call.h"
#include "runner/profile/benchmark_log.h"

#include <string>

namespace lapidary {

// Return the document of `benchmark --json` (and of `--from`): times in microseconds. The node
// "executor" has the time of the runs outside of nodes, so that the sum of all rows is exactly the
// runs' total; "groups" are exact sums of the nodes (a scope includes the scopes within it).
Json benchmarkJson(const RunProfile& profile, const BenchmarkTimes& times, std::uint64_t peakBytes);
Json profileJson(const ProfileStatistics& statistics);
Json logJson(const BenchmarkLog& log);

// Returns the text of a document that benchmarkJson() made (readBenchmarkJson()): one line for each
// node, the executor too, with name, op and mean.
std::string savedReportText(const Json& report);

// Returns one line with the nodes' share of the runs and the executor's.
std::string shareText(const RunProfile& profile);

// Returns one line for each node, after a header.
std::string benchmarkCsv(const RunProfile& profile);

} // namespace lapidary
