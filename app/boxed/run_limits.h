// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lapidary {

// The resources that one run of a graph may use; 0 means a default for the machine.
struct RunLimits {
    int threads = 0;          // 0: all cores of the machine but one
    std::uint64_t memory = 0; // bytes of its tensors; 0: usualMemoryLimit()
    int seconds = 0;          // 0: no limit
    std::uint64_t values = 0; // bytes of values that the window keeps; 0: ValueStore::usualLimit

    bool operator==(const RunLimits&) const = default;
};

// Sets the limits of every run that begins from now on, in any thread.
void setRunLimits(const RunLimits& limits);
// Returns these limits, with this machine's defaults for threads and memory instead of 0.
RunLimits runLimits();

} // namespace lapidary
