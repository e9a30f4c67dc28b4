// SPDX-License-Identifier: Apache-2.0
#include "app/boxed/run_limits.h"

#include "runner/guard/machine_memory.h"

#include <algorithm>
#include <mutex>
#include <thread>

namespace lapidary {
namespace {

struct Shared {
    std::mutex mutex;
    RunLimits limits;
};

Shared& shared()
{
    static Shared all;
    return all;
}

} // namespace

void setRunLimits(const RunLimits& limits)
{
    const std::scoped_lock lock(shared().mutex);
    shared().limits = limits;
}

RunLimits runLimits()
{
    RunLimits limits;
    {
        const std::scoped_lock lock(shared().mutex);
        limits = shared().limits;
    }
    if (limits.threads == 0)
        limits.threads = std::max(1, int(std::thread::hardware_concurrency()) - 1);
    if (limits.memory == 0)
        limits.memory = usualMemoryLimit();
    return limits;
}

} // namespace lapidary
