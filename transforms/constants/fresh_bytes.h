// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"

#include <cstddef>
#include <memory>

namespace lapidary {

// Bytes that are written once, not cleared before, and only read from then on. Large ones lie in
// huge pages where the system has them: making small pages takes longer than writing them.
class FreshBytes final : public Buffer {
public:
    explicit FreshBytes(std::size_t size);
    ~FreshBytes() override;

    char* data() { return m_begin; } // at an address for vectors of any width
    // Gives large ones back to the system: all but the first few thousand, where types and shapes
    // are, read as zeros from then on. Only for who knows that nobody reads them any more.
    void drop() const;

private:
    bool map(std::size_t size);

    std::unique_ptr<char[]> m_small;
    char* m_begin = nullptr;
    std::size_t m_mapped = 0; // bytes from m_begin on; 0: they lie in m_small
};

} // namespace lapidary
