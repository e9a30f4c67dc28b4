// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/ids.h"
#include "graph_model/graph/node.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lapidary {

// Maps a name to the position of the first node that has it. Open addressing over the nodes' own
// strings takes one allocation, which matters when 100,000 nodes are opened.
class NameIndex {
public:
    NameIndex() = default;
    explicit NameIndex(std::span<const NodePtr> nodes);

    // `nodes` must be those that the index was made from.
    NodeId find(std::string_view name, std::span<const NodePtr> nodes) const;
    bool namesAreUnique() const { return m_namesAreUnique; }

private:
    std::vector<std::uint32_t> m_slots; // position + 1; 0: free; size is a power of two
    std::vector<std::uint32_t> m_hashes;
    bool m_namesAreUnique = true;
};

} // namespace lapidary
