// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/name_index.h"

#include <bit>
#include <functional>

namespace lapidary {
namespace {

std::uint32_t hashOf(std::string_view name)
{
    const std::uint64_t hash = std::hash<std::string_view>()(name);
    return std::uint32_t(hash ^ (hash >> 32));
}

} // namespace

NameIndex::NameIndex(std::span<const NodePtr> nodes)
    : m_slots(std::bit_ceil(nodes.size() * 2 + 1))
    , m_hashes(m_slots.size())
{
    const std::size_t mask = m_slots.size() - 1;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        const std::string_view name = nodes[i]->name();
        const std::uint32_t hash = hashOf(name);
        std::size_t slot = hash & mask;
        while (m_slots[slot] != 0 &&
               (m_hashes[slot] != hash || nodes[m_slots[slot] - 1]->name() != name))
            slot = (slot + 1) & mask;
        if (m_slots[slot] != 0) {
            m_namesAreUnique = false;
            continue;
        }
        m_slots[slot] = i + 1;
        m_hashes[slot] = hash;
    }
}

NodeId NameIndex::find(std::string_view name, std::span<const NodePtr> nodes) const
{
    if (m_slots.empty())
        return {};
    const std::size_t mask = m_slots.size() - 1;
    const std::uint32_t hash = hashOf(name);
    for (std::size_t slot = hash & mask; m_slots[slot] != 0; slot = (slot + 1) & mask)
        if (m_hashes[slot] == hash && nodes[m_slots[slot] - 1]->name() == name)
            return {m_slots[slot] - 1};
    return {};
}

} // namespace lapidary
