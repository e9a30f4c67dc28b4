// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lapidary {

// What one run of a graph may take; 0 leaves the choice to the machine.
struct RunLimits {
    int threads = 0;          // 0: all of the machine's but one
    std::uint64_t memory = 0; // bytes of its tensors; 0: usualMemoryLimit()
    int seconds = 0;          // 0: as long as it takes
    std::uint64_t values = 0; // bytes of values that the window keeps; 0: ValueStore::usualLimit

    bool operator==(const RunLimits&) const = default;
};

// The limits of every run that begins from now on, in any thread.
void setRunLimits(const RunLimits& limits);
// These limits, with threads and memory as this machine has them in place of 0.
RunLimits runLimits();

} // namespace lapidary
