// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"

#include <string_view>
#include <vector>

namespace lapidary {

// Keeps alive several buffers that hold the parts of one node. It has no bytes of its own.
class OwnerList final : public Buffer {
public:
    // Lists among `owners` are replaced by their entries; each buffer is kept once.
    static BufferPtr make(const std::vector<BufferPtr>& owners);

    // Returns null if no buffer holds it.
    const BufferPtr* holderOf(std::string_view part) const;
    Status intact() const override;
    std::size_t size() const { return m_owners.size(); }

private:
    std::vector<BufferPtr> m_owners;
};

} // namespace lapidary
