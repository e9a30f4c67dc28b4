// SPDX-License-Identifier: Apache-2.0
#include "transforms/constants/fresh_bytes.h"

#include <array>
#include <cstdint>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

namespace lapidary {
namespace {

constexpr std::size_t hugePage = std::size_t(2) << 20;
constexpr std::size_t widestVector = 64;
constexpr std::size_t keptHead = 4096;

std::size_t roundedUp(std::size_t value, std::size_t step)
{
    return (value + step - 1) / step * step;
}

} // namespace

FreshBytes::FreshBytes(std::size_t size)
{
    if (size < hugePage || !map(size)) {
        m_small = std::make_unique_for_overwrite<char[]>(size + widestVector);
        const auto address = reinterpret_cast<std::uintptr_t>(m_small.get());
        m_begin = m_small.get() + (roundedUp(address, widestVector) - address);
    }
    m_bytes = {m_begin, size};
}

FreshBytes::~FreshBytes()
{
    if (m_mapped > 0)
        munmap(m_begin, m_mapped);
}

void FreshBytes::drop() const
{
    if (m_mapped == 0)
        return;
    std::array<char, keptHead> head{};
    std::memcpy(head.data(), m_begin, head.size());
    madvise(m_begin, m_mapped, MADV_NOHUGEPAGE);
    if (madvise(m_begin, m_mapped, MADV_DONTNEED) == 0)
        std::memcpy(m_begin, head.data(), head.size());
}

// Begins at a huge page, so that as many as possible fit; the memory around it is returned.
bool FreshBytes::map(std::size_t size)
{
    const std::size_t kept = roundedUp(size, std::size_t(sysconf(_SC_PAGESIZE)));
    if (kept < size || kept + hugePage < kept)
        return false;
    void* const pages =
        mmap(nullptr, kept + hugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return false;
    const auto address = reinterpret_cast<std::uintptr_t>(pages);
    const std::size_t before = roundedUp(address, hugePage) - address;
    char* const begin = static_cast<char*>(pages) + before;
    if (before > 0)
        munmap(pages, before);
    if (before < hugePage)
        munmap(begin + kept, hugePage - before);
    madvise(begin, kept, MADV_HUGEPAGE);
    m_begin = begin;
    m_mapped = kept;
    return true;
}

} // namespace lapidary
