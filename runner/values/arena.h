// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace lapidary {

// One range of addresses from which large blocks are cut: from the smallest free piece that is
// large enough, else from new memory after the last block. Neighboring free pieces are merged, so
// that resident memory stays close to the largest sum of blocks in use at one time. O(log pieces).
class Arena {
public:
    enum class Pages : std::uint8_t { Plain, Huge };

    // Address sanitizer watches the bounds of blocks from malloc(): with it, take() returns null.
#if defined(__SANITIZE_ADDRESS__)
    static constexpr bool isForChecking = true;
#else
    static constexpr bool isForChecking = false;
#endif
    // Returns the size of the range to reserve if blocks of up to `limit` bytes may be in use:
    // addresses cost nothing, but a process has only so many.
    static std::uint64_t addressesFor(std::uint64_t limit);

    // Reserves addresses only; memory is committed when it is used. If the system has no such
    // range, take() always returns null.
    Arena(std::uint64_t bytes, Pages pages);
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    // Returns null if no space is left. `bytes` is a multiple of 64; so is the address.
    void* take(std::uint64_t bytes);
    void give(void* block, std::uint64_t bytes);
    // Returns the most bytes that were ever in use at once, holes included.
    std::uint64_t extent() const
    {
        return m_end;
    }

private:
    bool commit(std::uint64_t end);
    void wantHugePages(std::uint64_t lastBlock);
    void addFree(std::uint64_t at, std::uint64_t bytes);
    void removeFree(std::map<std::uint64_t, std::uint64_t>::iterator piece);

    std::byte* m_begin = nullptr;
    std::uint64_t m_reserved = 0;
    std::uint64_t m_committed = 0;
    std::uint64_t m_advised = 0;                                // bytes advised to be huge pages
    std::uint64_t m_end = 0;                                    // end of the last block ever cut
    std::map<std::uint64_t, std::uint64_t> m_free;              // sizes by offset
    std::set<std::pair<std::uint64_t, std::uint64_t>> m_bySize; // size, offset
    Pages m_pages;
};

} // namespace lapidary
