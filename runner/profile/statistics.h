// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/profile/step_records.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Statistics of a series of whole numbers, as benchmark_model computes them.
class Series {
public:
    void add(std::int64_t value);
    std::int64_t count() const { return m_count; }
    std::int64_t first() const { return m_first; }
    std::int64_t newest() const { return m_newest; }
    std::int64_t min() const { return m_min; }
    std::int64_t max() const { return m_max; }
    std::int64_t sum() const { return m_sum; }
    double mean() const; // NaN if empty
    double deviation() const;
    double median() const;
    // "count=3 first=3757 curr=3959 min=3757 max=3959 avg=3858 std=82"
    std::string text() const;

private:
    std::vector<std::int64_t> m_values;
    std::int64_t m_count = 0;
    std::int64_t m_first = 0;
    std::int64_t m_newest = 0;
    std::int64_t m_min = 0;
    std::int64_t m_max = 0;
    std::int64_t m_sum = 0;
    double m_squares = 0;
};

struct NodeStatistics {
    std::string name;
    std::string type;
    std::int64_t order = 0; // position when first seen, from 1
    Series start;           // microseconds since the step's first record
    Series micros;
    Series memory;
    std::vector<RecordedOutput> outputs; // when first seen
};

struct TableOptions {
    bool runOrder = true;
    int runOrderLimit = 0; // rows; 0 or less: all of them
    bool time = true;
    int timeLimit = 10;
    bool memory = true;
    int memoryLimit = 10;
    bool type = true;
    bool summary = true;
};

// The statistics that benchmark_model prints of its runs: three series for each node (start,
// duration and memory), in the order in which nodes were first seen.
class ProfileStatistics {
public:
    void add(const StepRecords& step);

    const std::map<std::string, NodeStatistics>& nodes() const { return m_nodes; }
    std::vector<const NodeStatistics*> inRunOrder() const;
    const Series& runTotals() const { return m_totals; }
    const Series& runMemory() const { return m_memory; }

    struct TypeStatistics {
        std::string type;
        std::int64_t nodes = 0;
        std::int64_t micros = 0; // per run
        std::int64_t memory = 0;
        std::int64_t calls = 0; // per run
    };
    // Returns the statistics of each type, longest time first.
    std::vector<TypeStatistics> types() const;

    // Prints the tables, byte for byte as the original does for the same records, except for ties
    // and numbers that its sort cannot hold: those are ordered by value, then by run order.
    std::string tables(const TableOptions& options) const;
    std::string summary() const;
    // Prints the list of output sizes.
    std::string outputSizes() const;

private:
    std::map<std::string, NodeStatistics> m_nodes;
    Series m_totals;
    Series m_memory;
};

} // namespace lapidary
