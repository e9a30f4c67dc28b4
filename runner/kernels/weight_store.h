// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"
#include "runner/values/arena.h"

#include <memory>
#include <mutex>

namespace lapidary {

// Memory for packed weights, which live as long as the session. It is apart from the short-lived
// tensors, so that weights leave no holes between those, and in large pages.
class WeightStore final : public Resource, public std::enable_shared_from_this<WeightStore> {
public:
    explicit WeightStore(std::uint64_t limitBytes);

    static std::shared_ptr<WeightStore> of(SessionState& session);

    // Returns a block aligned to 64 bytes. Fails if tensors and weights together exceed the
    // session's limit.
    Result<std::shared_ptr<void>> allocate(std::uint64_t bytes, const MemoryPool& tensors);
    std::uint64_t usedBytes() const;

private:
    mutable std::mutex m_mutex; // because values may be destroyed in any thread
    Arena m_arena;
    std::uint64_t m_used = 0;
};

} // namespace lapidary
