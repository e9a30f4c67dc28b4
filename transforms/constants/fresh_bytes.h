// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"

#include <cstddef>
#include <memory>

namespace lapidary {

// Bytes that are written once, not cleared before, and only read from then on. Large ones use huge
// pages if the system has them: making small pages takes longer than writing them.
class FreshBytes final : public Buffer {
public:
    explicit FreshBytes(std::size_t size);
    ~FreshBytes() override;

    char* data() { return m_begin; } // at an address for vectors of any width
    // Gives the memory of large ones back to the system: all bytes but the first few thousand,
    // which hold types and shapes, read as zeros from then on. The caller must know that nothing
    // reads them any more.
    void drop() const;

private:
    bool map(std::size_t size);

    std::unique_ptr<char[]> m_small;
    char* m_begin = nullptr;
    std::size_t m_mapped = 0; // bytes from m_begin on; 0: they are in m_small
};

} // namespace lapidary
