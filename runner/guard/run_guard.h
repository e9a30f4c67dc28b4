// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"

#include <cstddef>
#include <cstdint>
#include <exception>

namespace lapidary {

// Counts the memory in use by this process: blocks of operator new if the program replaces it
// (app/heap_operators.cpp), and blocks of memory pools. Programs that do not replace it count
// nothing, and only their pools are limited.
namespace heap {

void startCounting() noexcept; // of the whole process, before other threads
bool isCounting() noexcept;
// Negative bytes were freed. Sums of a thread are added to the total in steps of some kilobytes.
void add(std::int64_t bytes) noexcept;
std::int64_t bytesInUse() noexcept;
// Returns whether this thread may take so many more bytes. Small blocks are only checked when their
// sum reaches a step; in between they are always allowed, so that an error can be worded.
bool mayTake(std::size_t bytes) noexcept;

} // namespace heap

// Bounds the memory of a run. While it lives, the process may hold at most `limit` bytes more than
// `before` (heap::bytesInUse() at the start of the limited work). Beyond that, operator new throws
// std::bad_alloc in this thread and those that share the guard; also when the job is cancelled, so
// that all work on the heap stops soon. Allocations of other threads never fail.
class RunGuard {
public:
    RunGuard(std::uint64_t limit, std::int64_t before, const Job& job) noexcept;

    static const RunGuard* ofThread() noexcept; // null if this thread is not in a run
    bool allows(std::int64_t bytesInAll) const noexcept;
    bool mustStop() const noexcept { return m_job.cancelled(); }
    std::uint64_t limit() const { return m_limit; }

    // While it lives, this thread is bounded by the guard of another one; null: not at all.
    class Shared {
    public:
        explicit Shared(const RunGuard* guard) noexcept;
        ~Shared();
        Shared(const Shared&) = delete;
        Shared& operator=(const Shared&) = delete;

    private:
        const RunGuard* m_outer;
    };

private:
    std::uint64_t m_limit;
    std::int64_t m_before;
    const Job& m_job;
    Shared m_own;
};

// Thrown to leave a kernel whose run was cancelled, from inside sorts and the like, which cannot
// end in another way. withinMemory() (out_of_memory.h), which runs kernels, catches it.
struct RunStopped : std::exception {};

// Throws RunStopped if the run of this thread is cancelled.
inline void stopIfAsked()
{
    if (const RunGuard* guard = RunGuard::ofThread(); guard != nullptr && guard->mustStop())
        throw RunStopped();
}

// Does the same in work that is done millions of times: checks every 1024th time.
inline void stopPoint()
{
    constexpr unsigned seldom = 1024;
    thread_local unsigned calls = 0;
    if (++calls % seldom == 0)
        stopIfAsked();
}

} // namespace lapidary
