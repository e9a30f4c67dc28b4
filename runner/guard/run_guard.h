// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"

#include <cstddef>
#include <cstdint>
#include <exception>

namespace lapidary {

// Counts what this process has taken and not given back: blocks of operator new where the program
// replaces it (app/heap_operators.cpp), and blocks of memory pools. Programs that do not replace it
// count nothing, and nothing is limited in them but the pools.
namespace heap {

void startCounting() noexcept; // of the whole process, before other threads
bool isCounting() noexcept;
// Negative: given back. Sums of a thread reach the total in steps of some kilobytes.
void add(std::int64_t bytes) noexcept;
std::int64_t bytesInUse() noexcept;
// Returns whether this thread may take so many more bytes. Small blocks are asked about only when
// their sum reaches a step; in between they are always allowed, so that an error can be worded.
bool mayTake(std::size_t bytes) noexcept;

} // namespace heap

// Bounds a run. While it lives, the process may hold at most `limit` bytes more than `before`
// (heap::bytesInUse() at the start of what is limited), as seen by this thread and those that share
// it: there operator new throws std::bad_alloc, also when the job is cancelled, so that all work on
// the heap stops soon. Allocations of other threads never fail.
class RunGuard {
public:
    RunGuard(std::uint64_t limit, std::int64_t before, const Job& job) noexcept;

    static const RunGuard* ofThread() noexcept; // null: not in a run
    bool allows(std::int64_t bytesInAll) const noexcept;
    bool mustStop() const noexcept { return m_job.cancelled(); }
    std::uint64_t limit() const { return m_limit; }

    // While it lives, this thread is bounded as another one is; null: not at all.
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

// Leaves a kernel whose run was cancelled: for the inside of sorts and the like, which can end in
// no other way. Whatever runs kernels catches it (out_of_memory.h).
struct RunStopped : std::exception {};

// Throws RunStopped where the run of this thread is cancelled.
inline void stopIfAsked()
{
    if (const RunGuard* guard = RunGuard::ofThread(); guard != nullptr && guard->mustStop())
        throw RunStopped();
}

// Does the same where work is done millions of times: looks every thousandth time.
inline void stopPoint()
{
    constexpr unsigned seldom = 1024;
    thread_local unsigned calls = 0;
    if (++calls % seldom == 0)
        stopIfAsked();
}

} // namespace lapidary
