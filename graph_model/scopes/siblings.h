// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/scope_draft.h"

#include <span>

namespace lapidary {

// The children of one scope as a graph without back edges. Decides whether some of them can become
// one box without a path that leaves the box and comes back.
class Siblings {
public:
    // `edges`: the scope's bucket of LevelEdges.
    Siblings(const ScopeDraft& draft, GroupId scope, std::span<const LevelEdge> edges);

    std::size_t size() const { return m_items.size(); }
    ItemId item(std::uint32_t i) const { return m_items[i]; }
    bool reads(std::uint32_t reader, std::uint32_t source) const;
    // Returns whether no member reads another.
    bool areBeside(const std::vector<std::uint32_t>& members) const;
    // Returns whether all members read one box, or one box reads them all; joined items count as
    // one.
    bool meet(const std::vector<std::uint32_t>& members) const;
    // Returns whether the members can be joined; joined items count as one box. Also returns false
    // if there were so many queries that the answer would take too long.
    bool canJoin(const std::vector<std::uint32_t>& members);
    void join(const std::vector<std::uint32_t>& members);

private:
    std::vector<ItemId> m_items;
    std::vector<std::vector<std::uint32_t>> m_readers; // distinct, sorted
    std::vector<std::vector<std::uint32_t>> m_sources; // distinct, sorted
    std::vector<std::uint32_t> m_boxOf;                // number of the joined box, else UINT32_MAX
    std::vector<std::vector<std::uint32_t>> m_boxes;
    std::vector<std::uint32_t> m_seen;
    std::uint32_t m_round = 0;
    std::size_t m_budget;
};

} // namespace lapidary
