// SPDX-License-Identifier: Apache-2.0
// Group::structure is equal for groups of equal content and wiring; names and values are ignored. A
// child starts with the hash of its op (or of its own structure), and the hashes of its neighbors
// inside the group are mixed in twice, by slot and port; a group is the sum over its children.
#include "graph_model/base/hash.h"
#include "graph_model/scopes/scope_draft.h"

#include <array>
#include <functional>

namespace lapidary {
namespace {

class Hasher {
public:
    Hasher(ScopeDraft& draft, const LevelEdges& edges)
        : m_draft(draft)
        , m_edges(edges)
        , m_op(draft.parentOfNode.size())
        , m_heard{std::vector<std::uint64_t>(draft.parentOfNode.size()),
                  std::vector<std::uint64_t>(draft.groups.size())}
    {
        for (std::uint32_t i = 0; i < m_op.size(); ++i) {
            const Node& node = draft.graph->node(NodeId{i});
            m_op[i] = mixHash(std::hash<std::string_view>()(node.op()), node.inputs().size());
        }
        m_label = {m_op, std::vector<std::uint64_t>(draft.groups.size())};
    }

    void hash(std::uint32_t g)
    {
        Group& group = m_draft.groups[g];
        for (int round = 0; round < 2; ++round) {
            for (std::uint32_t e = m_edges.start[g]; e < m_edges.start[g + 1]; ++e)
                tell(m_edges.edges[e]);
            for (const ItemId child : group.children) {
                std::uint64_t& heard = m_heard[kind(child)][child.index];
                m_label[kind(child)][child.index] =
                    mixHash(m_label[kind(child)][child.index], heard);
                heard = 0;
            }
        }
        std::uint64_t sum = group.children.size();
        for (const ItemId child : group.children)
            sum += mixHash(m_label[kind(child)][child.index], 7);
        group.structure = mixHash(sum, 11) | 1; // never 0
        m_label[1][g] = group.structure;
    }

private:
    static std::size_t kind(ItemId item) { return item.isNode() ? 0 : 1; }

    void tell(const LevelEdge& edge)
    {
        const std::uint64_t from =
            mixHash(m_label[kind(edge.from)][edge.from.index], m_op[edge.source.value]);
        const std::uint64_t to =
            mixHash(m_label[kind(edge.to)][edge.to.index], m_op[edge.reader.value]);
        const std::uint64_t wire =
            mixHash(edge.port < 0 ? 1U << 20 : edge.slot, std::uint64_t(edge.port) + 1);
        m_heard[kind(edge.to)][edge.to.index] += mixHash(mixHash(from, wire), 1);
        m_heard[kind(edge.from)][edge.from.index] += mixHash(mixHash(to, wire), 2);
    }

    ScopeDraft& m_draft;
    const LevelEdges& m_edges;
    std::vector<std::uint64_t> m_op;
    std::array<std::vector<std::uint64_t>, 2> m_heard; // nodes, groups
    std::array<std::vector<std::uint64_t>, 2> m_label;
};

} // namespace

Status hashGroups(ScopeDraft& draft, const LevelEdges& edges, const Job& job)
{
    Hasher hasher(draft, edges);
    for (std::size_t g = draft.groups.size(); g-- > 0;) {
        if (g % 1024 == 0 && job.cancelled())
            return cancelledError();
        hasher.hash(std::uint32_t(g));
    }
    return Done{};
}

} // namespace lapidary
