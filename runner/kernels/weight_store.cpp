// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/weight_store.h"

#include "runner/guard/run_guard.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace lapidary {
namespace {

constexpr std::uint64_t alignment = 64;
constexpr std::string_view key = "\nweights"; // no node has such a name

} // namespace

WeightStore::WeightStore(std::uint64_t limitBytes)
    : m_arena(Arena::addressesFor(limitBytes), Arena::Pages::Huge)
{
}

std::shared_ptr<WeightStore> WeightStore::of(SessionState& session)
{
    auto& resource = session.resources[std::string(key)];
    if (!resource)
        resource = std::make_shared<WeightStore>(session.pool.limitBytes());
    return std::static_pointer_cast<WeightStore>(resource);
}

Result<std::shared_ptr<void>> WeightStore::allocate(std::uint64_t bytes, const MemoryPool& tensors)
{
    if (const RunGuard* guard = RunGuard::ofThread(); guard != nullptr && guard->mustStop())
        return cancelledError();
    const std::scoped_lock lock(m_mutex);
    const std::uint64_t limit = tensors.limitBytes();
    const std::uint64_t used = m_used + tensors.usedBytes();
    if (bytes > limit || bytes > limit - std::min(used, limit) || !heap::mayTake(bytes))
        return Error{ErrorCode::Unsupported,
                     "needs " + std::to_string(bytes) + " bytes for its packed weights, but the " +
                         "memory limit is " + std::to_string(limit) + " bytes and " +
                         std::to_string(used) + " are in use",
                     ErrorReason::MemoryLimit};
    const std::uint64_t size = (std::max(bytes, alignment) + alignment - 1) / alignment * alignment;
    void* block = m_arena.take(size);
    const bool isSeparate = block == nullptr;
    if (isSeparate)
        block = std::aligned_alloc(alignment, size);
    if (block == nullptr)
        return Error{ErrorCode::Unsupported,
                     "the system has no " + std::to_string(bytes) + " bytes of memory left"};
    m_used += size;
    heap::add(std::int64_t(size));
    return std::shared_ptr<void>(block, [keep = shared_from_this(), size, isSeparate](void* p) {
        const std::scoped_lock hold(keep->m_mutex);
        keep->m_used -= size;
        heap::add(-std::int64_t(size));
        if (isSeparate)
            std::free(p);
        else
            keep->m_arena.give(p, size);
    });
}

std::uint64_t WeightStore::usedBytes() const
{
    const std::scoped_lock lock(m_mutex);
    return m_used;
}

} // namespace lapidary
