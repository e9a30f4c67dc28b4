// SPDX-License-Identifier: Apache-2.0
// Copies: at least four equal pieces of a scope that read the same tensors and do not read each
// other, as one network that is applied repeatedly. Names are ignored.
#include "graph_model/base/hash.h"
#include "graph_model/scopes/siblings.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <unordered_map>

namespace lapidary {
namespace {

constexpr std::size_t leastCopies = 4;
constexpr std::size_t leastShown = 2; // boxes of one copy

// Finds the pieces into which a scope divides without the nodes that many read or that read many.
class CopyFinder {
public:
    CopyFinder(const ScopeDraft& draft, GroupId scope, std::span<const LevelEdge> edges,
               const std::vector<bool>& isFolded)
        : m_draft(draft)
        , m_isFolded(isFolded)
        , m_items(draft.groups[scope.value].children)
    {
        for (std::uint32_t i = 0; i < m_items.size(); ++i)
            m_place.emplace(m_items[i], i);
        for (const LevelEdge& edge : edges)
            if (edge.from != edge.to && edge.port >= 0)
                m_wires.push_back({m_place.at(edge.from), m_place.at(edge.to), &edge});
        findJunctions();
        joinPieces();
    }

    // Returns lists of equal pieces, in file order, each as indices of children.
    std::vector<std::vector<std::vector<std::uint32_t>>> run() const
    {
        std::map<std::uint32_t, std::vector<std::uint32_t>> pieces;
        for (std::uint32_t i = 0; i < m_items.size(); ++i)
            if (!m_isJunction[i])
                pieces[m_pieceOf[i]].push_back(i);
        std::map<std::uint64_t, std::vector<std::vector<std::uint32_t>>> equal;
        std::vector<std::vector<const Wire*>> inputs(m_items.size());
        for (const Wire& wire : m_wires)
            inputs[wire.to].push_back(&wire);
        for (auto& [first, members] : pieces)
            if (shown(members) >= leastShown)
                if (const std::uint64_t hash = describe(members, inputs))
                    equal[hash].push_back(std::move(members));
        std::vector<std::vector<std::vector<std::uint32_t>>> found;
        for (auto& [hash, copies] : equal)
            if (copies.size() >= leastCopies)
                found.push_back(std::move(copies));
        std::ranges::sort(found);
        return found;
    }

private:
    struct Wire {
        std::uint32_t from;
        std::uint32_t to;
        const LevelEdge* edge;
    };

    bool isFoldedItem(std::uint32_t i) const
    {
        return m_items[i].isNode() && m_isFolded[m_items[i].index];
    }

    bool standsApart(ItemId item) const
    {
        if (!item.isNode())
            return m_draft.groups[item.index].kind == GroupKind::Part;
        return std::ranges::binary_search(m_draft.raised, item.node()) ||
               std::ranges::binary_search(m_draft.ports, item.node());
    }

    void findJunctions()
    {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
        for (const Wire& wire : m_wires)
            ends.emplace_back(wire.from, wire.to);
        std::ranges::sort(ends);
        ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
        std::vector<std::uint32_t> readers(m_items.size(), 0);
        std::vector<std::uint32_t> sources(m_items.size(), 0);
        for (const auto& [from, to] : ends) {
            ++readers[from];
            sources[to] += isFoldedItem(from) ? 0 : 1;
        }
        m_isJunction.resize(m_items.size());
        for (std::uint32_t i = 0; i < m_items.size(); ++i)
            m_isJunction[i] =
                readers[i] >= leastCopies || sources[i] > leastCopies || standsApart(m_items[i]);
    }

    std::uint32_t rootOf(std::uint32_t i)
    {
        while (m_pieceOf[i] != i)
            i = m_pieceOf[i] = m_pieceOf[m_pieceOf[i]];
        return i;
    }

    void joinPieces()
    {
        m_pieceOf.resize(m_items.size());
        std::iota(m_pieceOf.begin(), m_pieceOf.end(), 0U);
        for (const Wire& wire : m_wires) {
            if (m_isJunction[wire.from] || m_isJunction[wire.to])
                continue;
            const std::uint32_t a = rootOf(wire.from);
            const std::uint32_t b = rootOf(wire.to);
            m_pieceOf[std::max(a, b)] = std::min(a, b);
        }
        for (std::uint32_t i = 0; i < m_items.size(); ++i)
            m_pieceOf[i] = rootOf(i);
    }

    std::size_t shown(const std::vector<std::uint32_t>& members) const
    {
        return std::size_t(
            std::ranges::count_if(members, [this](std::uint32_t i) { return !isFoldedItem(i); }));
    }

    std::uint64_t kindOf(std::uint32_t i) const
    {
        const ItemId item = m_items[i];
        if (!item.isNode())
            return m_draft.groups[item.index].structure;
        return std::hash<std::string_view>()(m_draft.graph->node(item.node()).op());
    }

    // Hashes a piece. Returns 0 if it reads nothing from outside.
    std::uint64_t describe(const std::vector<std::uint32_t>& members,
                           const std::vector<std::vector<const Wire*>>& inputs) const
    {
        std::uint64_t hash = members.size();
        bool readsShared = false;
        for (const std::uint32_t i : members) {
            hash = mixHash(hash, kindOf(i));
            for (const Wire* wire : inputs[i]) {
                const auto own = std::ranges::lower_bound(members, wire->from);
                const bool isOwn = own != members.end() && *own == wire->from;
                readsShared = readsShared || (!isOwn && !isFoldedItem(wire->from));
                const std::uint64_t source =
                    isOwn ? std::uint64_t(own - members.begin()) : (1ULL << 40) + wire->from;
                hash = mixHash(mixHash(hash, source), wire->edge->slot);
            }
        }
        return readsShared ? hash | 1 : 0;
    }

    const ScopeDraft& m_draft;
    const std::vector<bool>& m_isFolded;
    const std::vector<ItemId>& m_items;
    std::unordered_map<ItemId, std::uint32_t> m_place;
    std::vector<Wire> m_wires;
    std::vector<bool> m_isJunction; // belongs to no piece
    std::vector<std::uint32_t> m_pieceOf;
};

using Copies = std::vector<std::vector<ItemId>>;

// Returns the name of a copy: its first and last op.
std::string nameOf(const ScopeDraft& draft, const std::vector<ItemId>& copy,
                   const std::vector<bool>& isFolded)
{
    std::vector<std::string> names;
    for (const ItemId item : copy)
        if (!item.isNode())
            names.push_back(draft.groups[item.index].name);
        else if (!isFolded[item.index])
            names.emplace_back(draft.graph->node(item.node()).op());
    return names.front() == names.back() ? names.front() : names.front() + " – " + names.back();
}

void addCopies(ScopeDraft& draft, GroupId scope, const Copies& copies, const ScopeOptions& options,
               const std::vector<bool>& isFolded)
{
    const std::string above = draft.groups[scope.value].path;
    const auto pathOf = [&](const std::vector<ItemId>& copy) {
        const ItemId first = copy.front();
        return (above.empty() ? "#copy-" : above + "/#copy-") +
               (first.isNode() ? std::string(leafName(draft.graph->node(first.node()).name()))
                               : draft.groups[first.index].name);
    };
    const std::string path = pathOf(copies.front()) + "+";
    if (std::ranges::find(options.ungrouped, path) != options.ungrouped.end())
        return;
    std::vector<ItemId> moved;
    for (const std::vector<ItemId>& copy : copies)
        moved.insert(moved.end(), copy.begin(), copy.end());
    std::ranges::sort(moved);
    const std::string count = std::to_string(copies.size());
    const GroupId all =
        draft.addGroup(scope, GroupKind::Repeat, nameOf(draft, copies.front(), isFolded), path);
    draft.groups[all.value].reason = count + " copies of equal structure that read the same";
    draft.groups[all.value].repeats = std::uint32_t(copies.size());
    std::erase_if(draft.groups[scope.value].children,
                  [&](ItemId child) { return std::ranges::binary_search(moved, child); });
    std::size_t number = 0;
    for (const std::vector<ItemId>& copy : copies) {
        const GroupId one =
            draft.addGroup(all, GroupKind::Block, "Copy " + std::to_string(++number), pathOf(copy));
        draft.groups[one.value].reason = "one of " + count + " copies of equal structure";
        draft.adopt(one, copy);
    }
}

} // namespace

Result<bool> addCopyGroups(ScopeDraft& draft, const ScopeOptions& options, const LevelEdges& edges,
                           const std::vector<bool>& isFolded, const Job& job)
{
    const auto scopes = std::uint32_t(draft.groups.size());
    bool any = false;
    for (std::uint32_t g = 0; g < scopes; ++g) {
        if (g % 256 == 0 && job.cancelled())
            return cancelledError();
        if (draft.groups[g].children.size() < leastCopies * leastShown ||
            draft.groups[g].kind == GroupKind::Series)
            continue;
        const std::span bucket(edges.edges.data() + edges.start[g],
                               edges.edges.data() + edges.start[g + 1]);
        const auto found = CopyFinder(draft, GroupId{g}, bucket, isFolded).run();
        if (found.empty())
            continue;
        Siblings siblings(draft, GroupId{g}, bucket);
        std::vector<Copies> accepted;
        for (const auto& copies : found) {
            std::vector<std::uint32_t> members;
            for (const std::vector<std::uint32_t>& copy : copies)
                members.insert(members.end(), copy.begin(), copy.end());
            if (!siblings.canJoin(members))
                continue;
            siblings.join(members);
            Copies& items = accepted.emplace_back();
            for (const std::vector<std::uint32_t>& copy : copies) {
                std::vector<ItemId>& one = items.emplace_back();
                for (const std::uint32_t member : copy)
                    one.push_back(siblings.item(member));
            }
        }
        for (const Copies& copies : accepted)
            addCopies(draft, GroupId{g}, copies, options, isFolded);
        any = any || !accepted.empty();
    }
    return any;
}

} // namespace lapidary
