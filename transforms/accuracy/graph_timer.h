// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/noise_meter.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// Measures how long runs take on this machine. Each graph is timed in turns with the original, so
// that other work of the machine slows down both.
class GraphTimer {
public:
    // The original is run with the tensors of the meter, fed its first probe.
    static Result<GraphTimer> make(const GraphPtr& original, const NoiseMeter& meter,
                                   const Job& job);

    std::int64_t nanoseconds() const { return m_nanoseconds; } // of the original
    // Returns the nanoseconds of the fastest of several runs, corrected by how much slower the
    // original runs now than when it was first timed.
    Result<std::int64_t> of(const GraphPtr& graph, std::vector<std::string> tensors,
                            const Job& job);
    // Returns nanoseconds by the name of the node, each from the fastest of several runs.
    Result<std::map<std::string, std::int64_t>> nodesOf(const GraphPtr& graph, const Job& job);

private:
    explicit GraphTimer(const NoiseMeter& meter)
        : m_meter(&meter)
    {
    }

    const NoiseMeter* m_meter;
    std::optional<PreparedRun> m_original;
    std::int64_t m_nanoseconds = 0;
};

} // namespace lapidary
