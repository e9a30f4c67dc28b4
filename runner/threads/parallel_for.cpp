// SPDX-License-Identifier: Apache-2.0
#include "runner/threads/parallel_for.h"

#include "runner/guard/run_guard.h"
#include "runner/threads/team_size.h"

#include <algorithm>
#include <exception>

#include <omp.h>

namespace lapidary {

int parallelThreads()
{
    return omp_get_max_threads();
}

namespace detail {

void runParts(std::int64_t count, std::int64_t cost, const void* body, Part part)
{
    // Waking the team costs a few microseconds; a part should take several times as long.
    constexpr std::int64_t worthwhile = 20'000;
    if (count <= 0)
        return;
    const std::int64_t perItem = std::max<std::int64_t>(cost, 1);
    const std::int64_t most = count > worthwhile ? count : count * perItem / worthwhile;
    const int threads =
        int(std::clamp<std::int64_t>(std::min(count, most), 1, omp_get_max_threads()));
    if (threads == 1 || count * double(perItem) < 2.0 * worthwhile) {
        part(body, 0, count);
        return;
    }
    const RunGuard* const guard = RunGuard::ofThread();
    std::exception_ptr fault; // no memory, or the run is cancelled
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int i = 0; i < threads; ++i) {
        const RunGuard::Shared shared(guard);
        try {
            part(body, count * i / threads, count * (i + 1) / threads);
        } catch (...) {
#pragma omp critical(lapidary_fault)
            fault = std::current_exception();
        }
    }
    if (fault)
        std::rethrow_exception(fault);
}

} // namespace detail
} // namespace lapidary
