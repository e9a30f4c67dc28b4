// SPDX-License-Identifier: Apache-2.0
#include "runner/threads/parallel_for.h"

#include "runner/guard/run_guard.h"
#include "runner/threads/team_size.h"

#include <algorithm>
#include <exception>
#include <mutex>
#ifdef __SANITIZE_THREAD__
#include <functional>
#include <thread>
#include <vector>
#endif

#include <omp.h>

namespace lapidary {

int parallelThreads()
{
    return omp_get_max_threads();
}

namespace {

// Runs one thread's part. In a run, splits it into pieces of some milliseconds, between which a
// cancelled run stops.
void runPieces(std::int64_t begin, std::int64_t end, std::int64_t perItem, const void* body,
               detail::Part part)
{
    constexpr std::int64_t longest = 20'000'000; // nanoseconds, by the caller's estimate
    const std::int64_t piece = std::max<std::int64_t>(longest / perItem, 1);
    while (RunGuard::ofThread() != nullptr && end - begin > piece) {
        part(body, begin, begin + piece);
        begin += piece;
        stopIfAsked();
    }
    part(body, begin, end);
}

// Calls work(i) for each i below `threads`, each call on a thread of its own.
template <class Work>
void onThreads(int threads, const Work& work)
{
#ifdef __SANITIZE_THREAD__ // which does not see how OpenMP's threads wait for each other
    std::vector<std::jthread> others;
    for (int i = 1; i < threads; ++i)
        others.emplace_back(std::cref(work), i);
    work(0);
#else
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int i = 0; i < threads; ++i)
        work(i);
#endif
}

} // namespace

namespace detail {

void runParts(std::int64_t count, std::int64_t cost, const void* body, Part part)
{
    // Waking the team costs a few microseconds; a part should take several times as long.
    constexpr std::int64_t worthwhile = 20'000;
    if (count <= 0)
        return;
    constexpr std::int64_t mostCost = 1'000'000'000'000; // a product with `count` below must fit
    const std::int64_t perItem = std::clamp<std::int64_t>(cost, 1, mostCost);
    const std::int64_t most = count > worthwhile ? count : count * perItem / worthwhile;
    const int threads =
        int(std::clamp<std::int64_t>(std::min(count, most), 1, omp_get_max_threads()));
    if (threads == 1 || count * double(perItem) < 2.0 * worthwhile) {
        runPieces(0, count, perItem, body, part);
        return;
    }
    const RunGuard* const guard = RunGuard::ofThread();
    std::mutex lock;
    std::exception_ptr fault; // set if there is no memory, or the run is cancelled
    onThreads(threads, [&](int i) {
        const RunGuard::Shared shared(guard);
        try {
            runPieces(count * i / threads, count * (i + 1) / threads, perItem, body, part);
        } catch (...) {
            const std::lock_guard locked(lock);
            fault = std::current_exception();
        }
    });
    if (fault)
        std::rethrow_exception(fault);
}

} // namespace detail
} // namespace lapidary
