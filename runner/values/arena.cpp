// SPDX-License-Identifier: Apache-2.0
#include "runner/values/arena.h"

#include <algorithm>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#define LAPIDARY_HAS_MMAP 1
#endif

namespace lapidary {
namespace {

constexpr std::uint64_t hugePage = std::uint64_t(2) << 20;
constexpr std::uint64_t commitStep = std::uint64_t(4) << 20;

std::uint64_t roundedUp(std::uint64_t bytes, std::uint64_t step)
{
    return (bytes + step - 1) / step * step;
}

} // namespace

std::uint64_t Arena::addressesFor(std::uint64_t limit)
{
    constexpr std::uint64_t most = std::uint64_t(64) << 30;
    return std::min(limit, most) / 4 * 5 + (std::uint64_t(64) << 20);
}

Arena::Arena(std::uint64_t bytes, Pages pages)
    : m_pages(pages)
{
#ifdef LAPIDARY_HAS_MMAP
    if (isForChecking)
        return;
    const std::uint64_t size = roundedUp(bytes, commitStep);
    void* range =
        mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED)
        return;
    m_begin = static_cast<std::byte*>(range);
    m_reserved = size;
#else
    static_cast<void>(bytes);
#endif
}

Arena::~Arena()
{
#ifdef LAPIDARY_HAS_MMAP
    if (m_begin != nullptr)
        munmap(m_begin, m_reserved);
#endif
}

bool Arena::commit(std::uint64_t end)
{
    if (end <= m_committed)
        return true;
    if (end > m_reserved)
        return false;
#ifdef LAPIDARY_HAS_MMAP
    const std::uint64_t wanted = std::min(roundedUp(end, commitStep), m_reserved);
    if (mprotect(m_begin + m_committed, wanted - m_committed, PROT_READ | PROT_WRITE) != 0)
        return false;
    m_committed = wanted;
    return true;
#else
    return false;
#endif
}

// Uses large pages up to the end of the last block. The end of a large block is excluded until
// other blocks follow it: otherwise up to a whole page would be resident for a small part of it.
void Arena::wantHugePages(std::uint64_t lastBlock)
{
#if defined(LAPIDARY_HAS_MMAP) && defined(MADV_HUGEPAGE)
    if (m_pages != Pages::Huge)
        return;
    const auto begin = reinterpret_cast<std::uintptr_t>(m_begin);
    const bool isLarge = lastBlock >= 3 * hugePage;
    const std::uint64_t pages = (begin + m_end + (isLarge ? 0 : hugePage - 1)) / hugePage;
    if (pages * hugePage <= begin + m_advised)
        return;
    const std::uint64_t end = std::min(pages * hugePage - begin, m_committed);
    if (end <= m_advised)
        return;
    static_cast<void>(madvise(m_begin + m_advised, end - m_advised, MADV_HUGEPAGE));
    m_advised = end;
#else
    static_cast<void>(lastBlock);
#endif
}

void Arena::addFree(std::uint64_t at, std::uint64_t bytes)
{
    m_free.emplace(at, bytes);
    m_bySize.emplace(bytes, at);
}

void Arena::removeFree(std::map<std::uint64_t, std::uint64_t>::iterator piece)
{
    m_bySize.erase({piece->second, piece->first});
    m_free.erase(piece);
}

void* Arena::take(std::uint64_t bytes)
{
    const auto fits = m_bySize.lower_bound({bytes, 0});
    if (fits != m_bySize.end()) {
        const auto [size, at] = *fits;
        removeFree(m_free.find(at));
        if (size > bytes)
            addFree(at + bytes, size - bytes);
        return m_begin + at;
    }
    // The last free piece may reach the end of the range: only the missing part is new.
    std::uint64_t at = m_end;
    const auto last = m_free.empty() ? m_free.end() : std::prev(m_free.end());
    const bool grows = last != m_free.end() && last->first + last->second == m_end;
    if (grows)
        at = last->first;
    if (bytes > m_reserved || !commit(at + bytes))
        return nullptr;
    if (grows)
        removeFree(last);
    m_end = at + bytes;
    wantHugePages(bytes);
    return m_begin + at;
}

void Arena::give(void* block, std::uint64_t bytes)
{
    std::uint64_t at = std::uint64_t(static_cast<std::byte*>(block) - m_begin);
    auto next = m_free.lower_bound(at);
    if (next != m_free.end() && next->first == at + bytes) {
        bytes += next->second;
        const auto merged = next++;
        removeFree(merged);
    }
    if (next != m_free.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second == at) {
            at = before->first;
            bytes += before->second;
            removeFree(before);
        }
    }
    addFree(at, bytes);
}

} // namespace lapidary
