#include "runner/values/memory_pool.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <string>

namespace lapidary {

// Free blocks by size class (powers of two in quarters). Values give their block back from wherever
// they die, so the shelf is shared and locked.
struct MemoryPool::Shelf {
    ~Shelf()
    {
        for (auto& [size, blocks] : free)
            for (void* block : blocks)
                std::free(block);
    }

    std::mutex mutex;
    std::map<std::uint64_t, std::vector<void*>> free;
    std::uint64_t limit = 0;
    std::uint64_t used = 0;
    std::uint64_t shelved = 0;
    std::uint64_t peak = 0;
};

namespace {

constexpr std::uint64_t alignment = 64;

// Rounds up to a quarter of a power of two: at most 25 % waste, few classes.
std::uint64_t sizeClass(std::uint64_t bytes)
{
    const std::uint64_t size = std::max<std::uint64_t>(bytes, alignment);
    const std::uint64_t step = std::max<std::uint64_t>(std::bit_floor(size) / 4, alignment);
    return (size + step - 1) / step * step;
}

} // namespace

MemoryPool::MemoryPool(std::uint64_t limitBytes)
    : m_shelf(std::make_shared<Shelf>())
{
    m_shelf->limit = limitBytes;
}

Result<std::shared_ptr<void>> MemoryPool::allocate(std::uint64_t bytes)
{
    Shelf& shelf = *m_shelf;
    const std::scoped_lock lock(shelf.mutex);
    if (bytes > shelf.limit || sizeClass(bytes) > shelf.limit - std::min(shelf.used, shelf.limit))
        return Error{ErrorCode::Unsupported,
                     "needs " + std::to_string(bytes) + " bytes more, but the memory limit is " +
                         std::to_string(shelf.limit) + " bytes and " + std::to_string(shelf.used) +
                         " are in use; raise it with --memory-limit"};
    const std::uint64_t size = sizeClass(bytes);
    void* block = nullptr;
    auto& blocks = shelf.free[size];
    if (!blocks.empty()) {
        block = blocks.back();
        blocks.pop_back();
        shelf.shelved -= size;
    } else {
        block = std::aligned_alloc(alignment, size);
    }
    if (block == nullptr)
        return Error{ErrorCode::Unsupported,
                     "the system has no " + std::to_string(bytes) + " bytes of memory left"};
    shelf.used += size;
    shelf.peak = std::max(shelf.peak, shelf.used);
    return std::shared_ptr<void>(block, [keep = m_shelf, size](void* p) {
        const std::scoped_lock hold(keep->mutex);
        keep->used -= size;
        if (keep->shelved + size > keep->peak) {
            std::free(p);
            return;
        }
        keep->free[size].push_back(p);
        keep->shelved += size;
    });
}

std::uint64_t MemoryPool::usedBytes() const
{
    const std::scoped_lock lock(m_shelf->mutex);
    return m_shelf->used;
}

std::uint64_t MemoryPool::peakBytes() const
{
    const std::scoped_lock lock(m_shelf->mutex);
    return m_shelf->peak;
}

std::uint64_t MemoryPool::limitBytes() const
{
    return m_shelf->limit;
}

} // namespace lapidary
