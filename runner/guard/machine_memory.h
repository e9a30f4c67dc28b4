// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lapidary {

// Returns the bytes of memory of the machine, or of the control group (container) of this process
// if that has less; 0: unknown.
std::uint64_t machineMemory();

// Returns the limit of a run for which the user gave none: three quarters of machineMemory().
std::uint64_t usualMemoryLimit();

// Returns the limit for values that a thread computes beside a run: that of the run that it belongs
// to (RunGuard), else the usual one.
std::uint64_t memoryLimitOfThread();

} // namespace lapidary
