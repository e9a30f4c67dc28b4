// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lapidary {

// The memory of the machine, or of the control group (container) that this process is in where that
// has less; 0: unknown.
std::uint64_t machineMemory();

// Returns the limit of a run that was given none: three quarters of that.
std::uint64_t usualMemoryLimit();

} // namespace lapidary
