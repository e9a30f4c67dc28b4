// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lapidary {

// The memory of the machine, or of the control group (container) that this process is in where that
// has less; 0: unknown.
std::uint64_t machineMemory();

// What a run may hold where nothing else is said: three quarters of that.
std::uint64_t usualMemoryLimit();

} // namespace lapidary
