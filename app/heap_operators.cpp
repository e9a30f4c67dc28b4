// SPDX-License-Identifier: Apache-2.0
// Replaces operator new and delete of the program that this is linked into, so that the memory of a
// run is counted, including strings and lists. Sanitizers keep their own operators, unless
// LAPIDARY_COUNTS_HEAP says that memory matters more than what they find in new and delete.
#include "runner/guard/run_guard.h"

#if defined(LAPIDARY_COUNTS_HEAP) ||                                                               \
    (!defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__))

#include <algorithm>
#include <cstdlib>
#include <new>

#include <malloc.h>

namespace {

using lapidary::heap::add;
using lapidary::heap::mayTake;

[[maybe_unused]] const bool starts = [] {
    lapidary::heap::startCounting();
    return true;
}();

void* counted(void* block) noexcept
{
    add(std::int64_t(malloc_usable_size(block)));
    return block;
}

void* take(std::size_t bytes) noexcept
{
    return mayTake(bytes) ? counted(std::malloc(std::max<std::size_t>(bytes, 1))) : nullptr;
}

void* takeAligned(std::size_t bytes, std::align_val_t alignment) noexcept
{
    const auto unit = std::max(std::size_t(alignment), sizeof(void*));
    void* block = nullptr;
    if (!mayTake(bytes) || posix_memalign(&block, unit, std::max<std::size_t>(bytes, 1)) != 0)
        return nullptr;
    return counted(block);
}

void* orThrow(void* block)
{
    if (block == nullptr)
        throw std::bad_alloc();
    return block;
}

void give(void* block) noexcept
{
    add(-std::int64_t(malloc_usable_size(block)));
    std::free(block);
}

} // namespace

// NOLINTBEGIN(misc-new-delete-overloads)
void* operator new(std::size_t bytes)
{
    return orThrow(take(bytes));
}
void* operator new[](std::size_t bytes)
{
    return orThrow(take(bytes));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept
{
    return take(bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept
{
    return take(bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment)
{
    return orThrow(takeAligned(bytes, alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment)
{
    return orThrow(takeAligned(bytes, alignment));
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept
{
    return takeAligned(bytes, alignment);
}
void* operator new[](std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept
{
    return takeAligned(bytes, alignment);
}
void operator delete(void* block) noexcept
{
    give(block);
}
void operator delete[](void* block) noexcept
{
    give(block);
}
void operator delete(void* block, std::size_t /*bytes*/) noexcept
{
    give(block);
}
void operator delete[](void* block, std::size_t /*bytes*/) noexcept
{
    give(block);
}
void operator delete(void* block, const std::nothrow_t&) noexcept
{
    give(block);
}
void operator delete[](void* block, const std::nothrow_t&) noexcept
{
    give(block);
}
void operator delete(void* block, std::align_val_t /*alignment*/) noexcept
{
    give(block);
}
void operator delete[](void* block, std::align_val_t /*alignment*/) noexcept
{
    give(block);
}
void operator delete(void* block, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept
{
    give(block);
}
void operator delete[](void* block, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept
{
    give(block);
}
// NOLINTEND(misc-new-delete-overloads)

#endif
