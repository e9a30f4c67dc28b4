// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"
#include "runner/values/arena.h"

#include <memory>
#include <mutex>

namespace lapidary {

// Memory for packed weights, which stay as long as the session: apart from the tensors that come
// and go, so that they leave no holes between those, and in large pages.
class WeightStore final : public Resource, public std::enable_shared_from_this<WeightStore> {
public:
    explicit WeightStore(std::uint64_t limitBytes);

    static std::shared_ptr<WeightStore> of(SessionState& session);

    // 64-byte aligned. Fails where tensors and weights together exceed the session's limit.
    Result<std::shared_ptr<void>> allocate(std::uint64_t bytes, const MemoryPool& tensors);
    std::uint64_t usedBytes() const;

private:
    mutable std::mutex m_mutex; // values end wherever they end
    Arena m_arena;
    std::uint64_t m_used = 0;
};

} // namespace lapidary
