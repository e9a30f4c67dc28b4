// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace lapidary {

// Memory of one session: bounded, and blocks are kept for the next request of about their size, so
// that a run after the first one asks the system for nothing. Used by one thread at a time; values
// may outlive the pool.
class MemoryPool {
public:
    explicit MemoryPool(std::uint64_t limitBytes);

    // 64-byte aligned, uninitialized. Zero bytes give a valid pointer.
    Result<std::shared_ptr<void>> allocate(std::uint64_t bytes);
    std::uint64_t usedBytes() const; // held by values now
    std::uint64_t peakBytes() const;
    std::uint64_t limitBytes() const;

private:
    struct Shelf;
    std::shared_ptr<Shelf> m_shelf;
};

} // namespace lapidary
