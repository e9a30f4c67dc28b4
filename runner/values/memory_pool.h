// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace lapidary {

// The memory of one session. It is bounded, and keeps blocks for the next request of about their
// size, so that runs after the first one need no memory from the system. Used by one thread at a
// time; values may outlive the pool.
class MemoryPool {
public:
    explicit MemoryPool(std::uint64_t limitBytes);

    // Returns an uninitialized block, aligned to 64 bytes. Zero bytes give a valid pointer.
    Result<std::shared_ptr<void>> allocate(std::uint64_t bytes);
    std::uint64_t usedBytes() const; // held by values now
    std::uint64_t peakBytes() const;
    std::uint64_t limitBytes() const;

private:
    struct Shelf;
    std::shared_ptr<Shelf> m_shelf;
};

} // namespace lapidary
