// SPDX-License-Identifier: Apache-2.0
#include "runner/guard/run_guard.h"

#include <atomic>

namespace lapidary {
namespace {

constexpr std::int64_t step = 64 << 10;      // of a thread's sum
constexpr std::size_t largeBlock = 16 << 10; // checked at once

std::atomic<bool> counting = false;
std::atomic<std::int64_t> total = 0;
thread_local std::int64_t pending = 0; // not yet part of the total
thread_local const RunGuard* current = nullptr;

} // namespace

namespace heap {

void startCounting() noexcept
{
    counting.store(true, std::memory_order_relaxed);
}

bool isCounting() noexcept
{
    return counting.load(std::memory_order_relaxed);
}

void add(std::int64_t bytes) noexcept
{
    pending += bytes;
    if (pending < step && pending > -step)
        return;
    total.fetch_add(pending, std::memory_order_relaxed);
    pending = 0;
}

std::int64_t bytesInUse() noexcept
{
    return total.load(std::memory_order_relaxed) + pending;
}

bool mayTake(std::size_t bytes) noexcept
{
    if (current == nullptr || !isCounting())
        return true;
    if (bytes < largeBlock && pending + std::int64_t(bytes) < step)
        return true;
    std::int64_t all = 0;
    if (!current->mustStop() && !__builtin_add_overflow(bytesInUse(), bytes, &all) &&
        current->allows(all))
        return true;
    // The next small blocks are for the text of the error.
    total.fetch_add(pending, std::memory_order_relaxed);
    pending = 0;
    return false;
}

} // namespace heap

RunGuard::RunGuard(std::uint64_t limit, std::int64_t before, const Job& job) noexcept
    : m_limit(limit)
    , m_before(before)
    , m_job(job)
    , m_own(this)
{
}

const RunGuard* RunGuard::ofThread() noexcept
{
    return current;
}

bool RunGuard::allows(std::int64_t bytesInAll) const noexcept
{
    return bytesInAll <= m_before || std::uint64_t(bytesInAll - m_before) <= m_limit;
}

RunGuard::Shared::Shared(const RunGuard* guard) noexcept
    : m_outer(current)
{
    current = guard;
}

RunGuard::Shared::~Shared()
{
    current = m_outer;
}

} // namespace lapidary
