// Small blocks lie in one piece with their reference count and come from lists by size; large ones
// are cut from one range of addresses.
#include "runner/values/memory_pool.h"

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
constexpr std::size_t smallClasses = mostSmall / alignment + 4; // with room for the count
using SmallSizes = std::index_sequence<64, 128, 192, 256, 384, 512, 768, mostSmall>;

template <std::size_t Bytes>
struct Small {
    alignas(alignment) std::array<std::byte, Bytes> bytes;
    Small() {} // NOLINT: leaves the bytes as they are
};

} // namespace

// Values give their block back from wherever they die, so the shelf is shared and locked.
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

    // With the lock held, as all changes.
    void count(std::uint64_t bytes)
    {
        used.store(used.load(std::memory_order_relaxed) + bytes, std::memory_order_relaxed);
        peak = std::max(peak, used.load(std::memory_order_relaxed));
    }
    void uncount(std::uint64_t bytes)
    {
        used.store(used.load(std::memory_order_relaxed) - bytes, std::memory_order_relaxed);
    }

    bool hasRoom(std::uint64_t bytes) const
    {
        return bytes <= limit - std::min(used.load(), limit);
    }

    // Gives std::allocate_shared one block for the count and the bytes.
    template <class T>
    struct SmallAllocator {
        using value_type = T;

        explicit SmallAllocator(std::shared_ptr<Shelf> s)
            : shelf(std::move(s))
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
            const std::scoped_lock lock(shelf->mutex);
            shelf->uncount(size);
            if (Arena::isForChecking)
                std::free(block);
            else
                shelf->small[size / alignment].push_back(block);
        }

        bool operator==(const SmallAllocator& other) const { return shelf == other.shelf; }

        static constexpr std::size_t sizeOfOne()
        {
            static_assert(sizeof(T) < smallClasses * alignment);
            return (sizeof(T) + alignment - 1) / alignment * alignment;
        }

        std::shared_ptr<Shelf> shelf;
    };

    // The first of the sizes that is large enough; null where the system has no memory left.
    template <std::size_t... Sizes>
    static std::shared_ptr<void> smallBlock(const std::shared_ptr<Shelf>& shelf,
                                            std::uint64_t bytes,
                                            std::index_sequence<Sizes...> /*sizes*/)
    {
        std::shared_ptr<void> result;
        const auto tryOne = [&](auto size) {
            using Block = Small<decltype(size)::value>;
            if (bytes > decltype(size)::value)
                return false;
            try {
                auto block = std::allocate_shared<Block>(SmallAllocator<Block>(shelf));
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

    static std::shared_ptr<void> largeBlock(const std::shared_ptr<Shelf>& shelf, std::uint64_t size)
    {
        const std::scoped_lock lock(shelf->mutex);
        void* block = shelf->arena.take(size);
        const bool isSeparate = block == nullptr;
        if (isSeparate)
            block = std::aligned_alloc(alignment, size);
        if (block == nullptr)
            return nullptr;
        shelf->count(size);
        return std::shared_ptr<void>(block, [keep = shelf, size, isSeparate](void* p) {
            const std::scoped_lock hold(keep->mutex);
            keep->uncount(size);
            if (isSeparate)
                std::free(p);
            else
                keep->arena.give(p, size);
        });
    }

    std::mutex mutex;
    std::array<std::vector<void*>, smallClasses> small;
    std::uint64_t limit = 0;
    std::atomic<std::uint64_t> used = 0;
    std::uint64_t peak = 0;
    Arena arena;
};

MemoryPool::MemoryPool(std::uint64_t limitBytes)
    : m_shelf(std::make_shared<Shelf>(limitBytes))
{
}

Result<std::shared_ptr<void>> MemoryPool::allocate(std::uint64_t bytes)
{
    if (bytes > m_shelf->limit || !m_shelf->hasRoom(bytes))
        return Error{ErrorCode::Unsupported,
                     "needs " + std::to_string(bytes) + " bytes more, but the memory limit is " +
                         std::to_string(limitBytes()) + " bytes and " +
                         std::to_string(usedBytes()) + " are in use; raise it with --memory-limit"};
    const std::uint64_t size = (bytes + alignment - 1) / alignment * alignment;
    auto block = bytes <= mostSmall ? Shelf::smallBlock(m_shelf, bytes, SmallSizes())
                                    : Shelf::largeBlock(m_shelf, size);
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
