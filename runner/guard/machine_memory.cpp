// SPDX-License-Identifier: Apache-2.0
#include "runner/guard/machine_memory.h"

#include "runner/guard/run_guard.h"

#include <algorithm>
#include <fstream>

#include <unistd.h>

namespace lapidary {

std::uint64_t machineMemory()
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long size = sysconf(_SC_PAGESIZE);
    std::uint64_t bytes = pages > 0 && size > 0 ? std::uint64_t(pages) * std::uint64_t(size) : 0;
    for (const char* file :
         {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        std::ifstream limit(file);
        std::uint64_t group = 0;
        if (limit >> group && group > 0) // "max" is not a number
            bytes = bytes == 0 ? group : std::min(bytes, group);
    }
    return bytes;
}

std::uint64_t usualMemoryLimit()
{
    constexpr std::uint64_t unknown = std::uint64_t(4) << 30;
    static const std::uint64_t machine = machineMemory();
    return machine == 0 ? unknown : machine / 4 * 3;
}

std::uint64_t memoryLimitOfThread()
{
    const RunGuard* const guard = RunGuard::ofThread();
    return guard != nullptr ? guard->limit() : usualMemoryLimit();
}

} // namespace lapidary
