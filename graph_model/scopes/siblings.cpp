// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/siblings.h"

#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <unordered_map>

namespace lapidary {

Siblings::Siblings(const ScopeDraft& draft, GroupId scope, std::span<const LevelEdge> edges)
    : m_items(draft.groups[scope.value].children)
    , m_readers(m_items.size())
    , m_sources(m_items.size())
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
    for (std::uint32_t i = 0; i < m_items.size(); ++i)
        for (const std::uint32_t reader : m_readers[i])
            m_sources[reader].push_back(i);
}

bool Siblings::reads(std::uint32_t reader, std::uint32_t source) const
{
    return std::binary_search(m_readers[source].begin(), m_readers[source].end(), reader);
}

bool Siblings::areBeside(const std::vector<std::uint32_t>& members) const
{
    std::vector<std::uint32_t> sorted = members;
    std::ranges::sort(sorted);
    return std::ranges::none_of(members, [&](std::uint32_t member) {
        return std::ranges::any_of(m_readers[member], [&](std::uint32_t reader) {
            return std::ranges::binary_search(sorted, reader);
        });
    });
}

bool Siblings::meet(const std::vector<std::uint32_t>& members) const
{
    const auto boxesOf = [this](const std::vector<std::uint32_t>& items) {
        std::vector<std::uint32_t> boxes;
        for (const std::uint32_t i : items)
            boxes.push_back(m_boxOf[i] == UINT32_MAX ? i : m_boxOf[i] + std::uint32_t(size()));
        std::ranges::sort(boxes);
        return boxes;
    };
    const auto haveCommon = [&](const std::vector<std::vector<std::uint32_t>>& neighbors) {
        std::vector<std::uint32_t> common = boxesOf(neighbors[members.front()]);
        for (const std::uint32_t member : members) {
            const std::vector<std::uint32_t> own = boxesOf(neighbors[member]);
            std::erase_if(common,
                          [&](std::uint32_t box) { return !std::ranges::binary_search(own, box); });
        }
        return !common.empty();
    };
    return haveCommon(m_sources) || haveCommon(m_readers);
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
