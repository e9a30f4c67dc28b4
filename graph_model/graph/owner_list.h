#pragma once

#include "graph_model/base/buffer.h"

#include <string_view>
#include <vector>

namespace lapidary {

// Keeps several buffers alive: those that the parts of one node lie in. It has no bytes of its own.
class OwnerList final : public Buffer {
public:
    // Lists among them count as what they list; each buffer is kept once.
    static BufferPtr make(const std::vector<BufferPtr>& owners);

    // Null where it lies in none.
    const BufferPtr* holderOf(std::string_view part) const;
    Status intact() const override;
    std::size_t size() const { return m_owners.size(); }

private:
    std::vector<BufferPtr> m_owners;
};

} // namespace lapidary
