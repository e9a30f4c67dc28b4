// SPDX-License-Identifier: Apache-2.0
// Small blocks are allocated together with their reference count and kept in lists by size; large
// ones are cut from one range of addresses.
#include "runner/values/memory_pool.h"

#include "runner/guard/run_guard.h"
#include "runner/values/arena.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace lapidary {
namespace {

constexpr std::uint64_t alignment = 64;
constexpr std::uint64_t mostSmall = 1024;
constexpr std::size_t smallClasses = mostSmall / alignment + 4; // includes the reference count
using SmallSizes = std::index_sequence<64, 128, 192, 256, 384, 512, 768, mostSmall>;

template <std::size_t Bytes>
struct Small {
    alignas(alignment) std::array<std::byte, Bytes> bytes;
    Small() {} // NOLINT: leaves the bytes as they are
};

} // namespace

// Values return their block from any thread, so the shelf has a lock, and lives until the pool and
// all blocks are gone. It counts its references itself: under the lock that costs nothing.
struct MemoryPool::Shelf {
    explicit Shelf(std::uint64_t limitBytes)
        : limit(limitBytes)
        , arena(Arena::addressesFor(limitBytes), Arena::Pages::Plain)
    {
    }
    ~Shelf()
    {
        for (const auto& blocks : small)
            for (void* block : blocks)
                std::free(block);
    }
    Shelf(const Shelf&) = delete;
    Shelf& operator=(const Shelf&) = delete;

    // Must be called with the lock held, like all functions that change the count.
    void count(std::uint64_t bytes)
    {
        ++taken;
        used.store(used.load(std::memory_order_relaxed) + bytes, std::memory_order_relaxed);
        peak = std::max(peak, used.load(std::memory_order_relaxed));
        heap::add(std::int64_t(bytes));
    }
    // Takes back a block of `bytes` bytes. The shelf may be deleted afterwards.
    template <class GiveBack>
    void release(std::uint64_t bytes, const GiveBack& giveBack)
    {
        bool isLast = false;
        {
            const std::scoped_lock lock(mutex);
            used.store(used.load(std::memory_order_relaxed) - bytes, std::memory_order_relaxed);
            heap::add(-std::int64_t(bytes));
            // Returning a block must not fail, not even in a run that has reached its limit.
            const RunGuard::Shared unbounded(nullptr);
            giveBack();
            --taken;
            isLast = isAbandoned && taken == 0;
        }
        if (isLast)
            delete this;
    }
    // Called by the pool's destructor.
    void abandon()
    {
        bool isLast = false;
        {
            const std::scoped_lock lock(mutex);
            isAbandoned = true;
            isLast = taken == 0;
        }
        if (isLast)
            delete this;
    }

    bool hasRoom(std::uint64_t bytes) const
    {
        return bytes <= limit - std::min(used.load(), limit);
    }

    // Gives std::allocate_shared one block for the count and the bytes.
    template <class T>
    struct SmallAllocator {
        using value_type = T;

        explicit SmallAllocator(Shelf& s)
            : shelf(&s)
        {
        }
        template <class U>
        SmallAllocator(const SmallAllocator<U>& other) // NOLINT(google-explicit-constructor)
            : shelf(other.shelf)
        {
        }

        T* allocate(std::size_t /*one*/)
        {
            constexpr std::size_t size = sizeOfOne();
            const std::scoped_lock lock(shelf->mutex);
            auto& blocks = shelf->small[size / alignment];
            void* block = nullptr;
            if (blocks.empty()) {
                block = std::aligned_alloc(alignment, size);
            } else {
                block = blocks.back();
                blocks.pop_back();
            }
            if (block == nullptr)
                throw std::bad_alloc();
            shelf->count(size);
            return static_cast<T*>(block);
        }

        void deallocate(T* block, std::size_t /*one*/)
        {
            constexpr std::size_t size = sizeOfOne();
            shelf->release(size, [&] {
                if (Arena::isForChecking)
                    std::free(block);
                else
                    shelf->small[size / alignment].push_back(block);
            });
        }

        bool operator==(const SmallAllocator& other) const { return shelf == other.shelf; }

        static constexpr std::size_t sizeOfOne()
        {
            static_assert(sizeof(T) < smallClasses * alignment);
            return (sizeof(T) + alignment - 1) / alignment * alignment;
        }

        Shelf* shelf = nullptr;
    };

    // Returns a block of the first size that is large enough; null if the system has no memory
    // left.
    template <std::size_t... Sizes>
    std::shared_ptr<void> smallBlock(std::uint64_t bytes, std::index_sequence<Sizes...> /*sizes*/)
    {
        std::shared_ptr<void> result;
        const auto tryOne = [&](auto size) {
            using Block = Small<decltype(size)::value>;
            if (bytes > decltype(size)::value)
                return false;
            try {
                auto block = std::allocate_shared<Block>(SmallAllocator<Block>(*this));
                auto* const data = block->bytes.data();
                result = std::shared_ptr<void>(std::move(block), data);
            } catch (const std::bad_alloc&) {
                result = nullptr;
            }
            return true;
        };
        static_cast<void>((tryOne(std::integral_constant<std::size_t, Sizes>()) || ...));
        return result;
    }

    std::shared_ptr<void> largeBlock(std::uint64_t size)
    {
        void* block = nullptr;
        bool isSeparate = false;
        {
            const std::scoped_lock lock(mutex);
            const RunGuard::Shared unbounded(nullptr); // for the lists of the arena
            block = arena.take(size);
            isSeparate = block == nullptr;
            if (isSeparate)
                block = std::aligned_alloc(alignment, size);
            if (block == nullptr)
                return nullptr;
            count(size);
        }
        return std::shared_ptr<void>(block, [this, size, isSeparate](void* p) {
            release(size, [&] {
                if (isSeparate)
                    std::free(p);
                else
                    arena.give(p, size);
            });
        });
    }

    std::mutex mutex;
    std::array<std::vector<void*>, smallClasses> small;
    std::uint64_t limit = 0;
    std::atomic<std::uint64_t> used = 0;
    std::uint64_t peak = 0;
    std::uint64_t taken = 0; // number of blocks that values hold
    bool isAbandoned = false;
    Arena arena;
};

MemoryPool::MemoryPool(std::uint64_t limitBytes)
    : m_shelf(new Shelf(limitBytes), [](Shelf* shelf) { shelf->abandon(); })
{
}

Result<std::shared_ptr<void>> MemoryPool::allocate(std::uint64_t bytes)
{
    if (const RunGuard* guard = RunGuard::ofThread(); guard != nullptr && guard->mustStop())
        return cancelledError();
    if (bytes > m_shelf->limit || !m_shelf->hasRoom(bytes) || !heap::mayTake(bytes))
        return Error{ErrorCode::Unsupported,
                     "needs " + std::to_string(bytes) + " bytes more, but the memory limit is " +
                         std::to_string(limitBytes()) + " bytes and " +
                         std::to_string(usedBytes()) + " are in use",
                     ErrorReason::MemoryLimit};
    const std::uint64_t size = (bytes + alignment - 1) / alignment * alignment;
    auto block =
        bytes <= mostSmall ? m_shelf->smallBlock(bytes, SmallSizes()) : m_shelf->largeBlock(size);
    if (!block)
        return Error{ErrorCode::Unsupported,
                     "the system has no " + std::to_string(bytes) + " bytes of memory left"};
    return block;
}

std::uint64_t MemoryPool::usedBytes() const
{
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
