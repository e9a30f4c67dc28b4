// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// One row of benchmark_model's tables.
struct LoggedNode {
    std::string name;
    std::string type;
    double startMs = 0;
    double firstMs = 0;
    double averageMs = 0;
    double percent = 0;
    double memoryKb = 0;
    std::int64_t calls = 0;
};
struct LoggedType {
    std::string type;
    std::int64_t nodes = 0;
    double averageMs = 0;
    double percent = 0;
    double memoryKb = 0;
    std::int64_t calls = 0;
};
// The output of benchmark_model, with or without the log's prefixes.
struct BenchmarkLog {
    std::vector<LoggedNode> nodes; // every node of any table; in run order if it is given
    std::vector<LoggedType> types;
    std::vector<std::string> phases; // "count=3 first=196 ...": warm-up, without and with stats
    std::string timings;             // the summary's texts
    std::string memory;
    std::int64_t observed = -1; // number of nodes; -1 here and below: not in the log
    double warmupMicros = -1;
    double plainMicros = -1;
    double tracedMicros = -1;
    std::string flops; // "478.24k"
};
// Reads a log. Fails if no table and no timing is found.
Result<BenchmarkLog> readBenchmarkLog(std::string_view text);

// Returns the text of a log's line without "2026-11-21 20:09:33.815176: I file.cc:85] ".
std::string_view withoutLogPrefix(std::string_view line);

} // namespace lapidary
