// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/siblings.h"

#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <unordered_map>

namespace lapidary {

Siblings::Siblings(const ScopeDraft& draft, GroupId scope, std::span<const LevelEdge> edges)
    : m_items(draft.groups[scope.value].children)
    , m_readers(m_items.size())
    , m_boxOf(m_items.size(), UINT32_MAX)
    , m_seen(m_items.size(), 0)
    , m_budget(20 * (m_items.size() + edges.size()) + 10'000)
{
    std::unordered_map<ItemId, std::uint32_t> place;
    place.reserve(m_items.size());
    for (std::uint32_t i = 0; i < m_items.size(); ++i)
        place.emplace(m_items[i], i);
    for (const LevelEdge& edge : edges)
        if (edge.from != edge.to && !isNextIteration(draft.graph->node(edge.source).op()))
            m_readers[place[edge.from]].push_back(place[edge.to]);
    for (std::vector<std::uint32_t>& readers : m_readers) {
        std::sort(readers.begin(), readers.end());
        readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
    }
}

bool Siblings::reads(std::uint32_t reader, std::uint32_t source) const
{
    return std::binary_search(m_readers[source].begin(), m_readers[source].end(), reader);
}

bool Siblings::canJoin(const std::vector<std::uint32_t>& members)
{
    ++m_round;
    const std::uint32_t isMember = 2 * m_round;
    const std::uint32_t isSeen = isMember + 1;
    for (const std::uint32_t member : members)
        m_seen[member] = isMember;
    std::vector<std::uint32_t> open;
    bool comesBack = false;
    const auto visit = [&](std::uint32_t i, bool fromMember) {
        if (m_seen[i] == isMember) {
            comesBack |= !fromMember;
        } else if (m_seen[i] != isSeen) {
            m_seen[i] = isSeen;
            open.push_back(i);
        }
    };
    for (const std::uint32_t member : members)
        for (const std::uint32_t reader : m_readers[member])
            visit(reader, true);
    while (!open.empty() && !comesBack) {
        const std::uint32_t at = open.back();
        open.pop_back();
        const std::size_t cost = 1 + m_readers[at].size();
        if (cost > m_budget) {
            m_budget = 0;
            return false;
        }
        m_budget -= cost;
        for (const std::uint32_t reader : m_readers[at])
            visit(reader, false);
        if (m_boxOf[at] != UINT32_MAX)
            for (const std::uint32_t other : m_boxes[m_boxOf[at]])
                visit(other, false);
    }
    return !comesBack;
}

void Siblings::join(const std::vector<std::uint32_t>& members)
{
    for (const std::uint32_t member : members)
        m_boxOf[member] = std::uint32_t(m_boxes.size());
    m_boxes.push_back(members);
}

} // namespace lapidary
