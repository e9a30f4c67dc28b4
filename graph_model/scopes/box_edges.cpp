// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/box_edges.h"

#include "graph_model/ops/op_registry.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace lapidary {
namespace {

constexpr std::uint32_t noPlace = UINT32_MAX;

// Numbers the boxes. Groups are numbered in preorder, so a stack of (group, next child) is
// sufficient.
void placeBoxes(const ScopeTree& tree, const Folding& folding, BoxEdges& out)
{
    out.placeOf.assign(folding.host.size(), noPlace);
    out.ofGroup.resize(tree.size());
    std::uint32_t place = 0;
    std::vector<std::pair<GroupId, std::size_t>> open{{rootGroup, 0}};
    while (!open.empty()) {
        const GroupId id = open.back().first;
        const std::size_t next = open.back().second++;
        const std::vector<ItemId>& children = tree.group(id).children;
        if (next == 0)
            out.ofGroup[id.value].begin = place;
        if (next >= children.size()) {
            out.ofGroup[id.value].end = place;
            open.pop_back();
        } else if (!children[next].isNode()) {
            open.emplace_back(children[next].group(), 0);
        } else if (folding.host[children[next].index] == children[next].node()) {
            out.placeOf[children[next].index] = place++;
        }
    }
    out.inStart.assign(place + 1, 0);
    out.outStart.assign(place + 1, 0);
}

// The input slots of each op that take a reference, among the first 32; slots after an argument of
// unknown length are ignored.
class ReferenceSlots {
public:
    bool takes(std::string_view op, std::uint32_t slot)
    {
        const auto [found, isNew] = m_ofOp.try_emplace(op, 0);
        if (isNew)
            found->second = mask(op);
        return slot < 32 && ((found->second >> slot) & 1U) != 0;
    }

private:
    static std::uint32_t mask(std::string_view op)
    {
        const OpSpec* spec = findOp(op);
        std::uint32_t bits = 0;
        std::uint32_t slot = 0;
        for (const ArgSpec& arg : spec ? spec->inputs : std::span<const ArgSpec>{}) {
            if (!arg.numberAttr.empty() || !arg.typeListAttr.empty() || slot == 32)
                break;
            bits |= std::uint32_t(arg.isReference) << slot++;
        }
        return bits;
    }

    std::unordered_map<std::string_view, std::uint32_t> m_ofOp;
};

std::vector<std::uint32_t> topologicalPlaces(const Graph& graph)
{
    std::vector<std::uint32_t> places(graph.size(), 0);
    const std::vector<NodeId> order = topologicalOrder(graph);
    for (std::uint32_t i = 0; i < order.size(); ++i)
        places[order[i].value] = i;
    return places;
}

std::vector<BoxEdge> collectEdges(const Graph& graph, const Folding& folding, const BoxEdges& boxes)
{
    const std::vector<std::uint32_t> rank = topologicalPlaces(graph);
    ReferenceSlots references;
    std::vector<BoxEdge> edges;
    edges.reserve(graph.edgeCount());
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const NodeId reader{i};
        const auto inputs = graph.inputs(reader);
        const NodeId to = folding.host[i];
        for (std::uint32_t slot = 0; slot < inputs.size() && to.isValid(); ++slot) {
            if (!inputs[slot].node.isValid())
                continue;
            const NodeId from = folding.sourceBox(inputs[slot].node, reader);
            if (!from.isValid())
                continue;
            EdgeKind kind = EdgeKind::Data;
            if (inputs[slot].isControl())
                kind = EdgeKind::Control;
            else if (references.takes(graph.node(reader).op(), slot))
                kind = EdgeKind::Reference;
            const bool closes = rank[inputs[slot].node.value] >= rank[i];
            const bool isWithin = from == to && inputs[slot].node != reader;
            edges.push_back({boxes.placeOf[from.value],
                             boxes.placeOf[to.value],
                             {reader, slot},
                             kind,
                             closes && !isWithin});
        }
    }
    return edges;
}

} // namespace

TreeInterval BoxEdges::of(ItemId item) const
{
    if (!item.isNode())
        return ofGroup[item.index];
    const std::uint32_t place = placeOf[item.index];
    return place == noPlace ? TreeInterval{} : TreeInterval{place, place + 1};
}

BoxEdges makeBoxEdges(const Graph& graph, const ScopeTree& tree, const Folding& folding)
{
    BoxEdges out;
    placeBoxes(tree, folding, out);
    const std::vector<BoxEdge> edges = collectEdges(graph, folding, out);
    for (const BoxEdge& edge : edges) {
        ++out.inStart[edge.to + 1];
        ++out.outStart[edge.from + 1];
    }
    std::partial_sum(out.inStart.begin(), out.inStart.end(), out.inStart.begin());
    std::partial_sum(out.outStart.begin(), out.outStart.end(), out.outStart.begin());
    std::vector<std::uint32_t> next(out.inStart.begin(), out.inStart.end() - 1);
    out.edges.resize(edges.size());
    for (const BoxEdge& edge : edges)
        out.edges[next[edge.to]++] = edge;
    next.assign(out.outStart.begin(), out.outStart.end() - 1);
    out.outgoing.resize(edges.size());
    for (std::uint32_t i = 0; i < out.edges.size(); ++i)
        out.outgoing[next[out.edges[i].from]++] = i;
    return out;
}

} // namespace lapidary
