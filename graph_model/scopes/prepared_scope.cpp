// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/prepared_scope.h"

#include "graph_model/scopes/box_edges.h"
#include "graph_model/scopes/folding.h"
#include "graph_model/scopes/hubs.h"

#include <algorithm>
#include <unordered_map>

namespace lapidary {

struct Preparation::Data {
    Folding folding;
    BoxEdges boxes;
    PrepareOptions options;
};

namespace {

// Bundles the edges of one scope by the children they join.
class ScopeBuilder {
public:
    ScopeBuilder(const BoxEdges& boxes, TreeInterval scope)
        : m_boxes(boxes)
        , m_scope(scope)
    {
    }

    void addItem(ItemId item)
    {
        m_begins.push_back(m_boxes.of(item).begin);
        m_ends.push_back(m_boxes.of(item).end);
        m_isNode.push_back(item.isNode());
    }

    std::vector<PreparedEdge> run()
    {
        for (std::size_t i = 0; i < m_begins.size(); ++i)
            for (std::uint32_t place = m_begins[i]; place < m_ends[i]; ++place)
                visit(place, std::int32_t(i));
        const auto inOrder = [](const GraphEdge& a, const GraphEdge& b) {
            return a.reader != b.reader ? a.reader < b.reader : a.slot < b.slot;
        };
        for (PreparedEdge& edge : m_edges)
            if (!std::is_sorted(edge.edges.begin(), edge.edges.end(), inOrder))
                std::sort(edge.edges.begin(), edge.edges.end(), inOrder);
        return std::move(m_edges);
    }

private:
    void visit(std::uint32_t place, std::int32_t item)
    {
        const TreeInterval own{m_begins[std::size_t(item)], m_ends[std::size_t(item)]};
        const bool isBox = m_isNode[std::size_t(item)];
        for (std::uint32_t e = m_boxes.inStart[place]; e < m_boxes.inStart[place + 1]; ++e) {
            const BoxEdge& edge = m_boxes.edges[e];
            if (!own.contains(edge.from) || isBox)
                add(edge, m_scope.contains(edge.from) ? itemAt(edge.from) : PreparedEdge::outside,
                    item);
        }
        for (std::uint32_t o = m_boxes.outStart[place]; o < m_boxes.outStart[place + 1]; ++o) {
            const BoxEdge& edge = m_boxes.edges[m_boxes.outgoing[o]];
            if (!m_scope.contains(edge.to))
                add(edge, item, PreparedEdge::outside);
        }
    }

    std::int32_t itemAt(std::uint32_t place) const
    {
        const auto after = std::upper_bound(m_begins.begin(), m_begins.end(), place);
        return std::int32_t(after - m_begins.begin()) - 1;
    }

    void add(const BoxEdge& edge, std::int32_t from, std::int32_t to)
    {
        const std::uint64_t key = (std::uint64_t(std::uint32_t(from + 1)) << 34) ^
                                  (std::uint64_t(std::uint32_t(to + 1)) << 3) ^
                                  (std::uint64_t(edge.kind) << 1) ^ std::uint64_t(edge.isBack);
        const auto [found, isNew] = m_byKey.try_emplace(key, m_edges.size());
        if (isNew)
            m_edges.push_back({.from = from,
                               .to = to,
                               .kind = edge.kind,
                               .isBack = edge.isBack,
                               .isInner = from == to,
                               .edges = {}});
        m_edges[found->second].edges.push_back(edge.edge);
    }

    const BoxEdges& m_boxes;
    TreeInterval m_scope;
    std::vector<std::uint32_t> m_begins;
    std::vector<std::uint32_t> m_ends;
    std::vector<bool> m_isNode;
    std::unordered_map<std::uint64_t, std::size_t> m_byKey;
    std::vector<PreparedEdge> m_edges;
};

} // namespace

Result<std::shared_ptr<const Preparation>>
Preparation::make(GraphPtr graph, ScopeTreePtr tree, const PrepareOptions& options, const Job& job)
{
    ASSIGN_OR_RETURN(
        Folding folding,
        foldNodes(*graph, {tree->parts(), tree->loops(), tree->branches()}, options, job));
    auto data = std::make_shared<Data>();
    data->options = options;
    data->folding = std::move(folding);
    data->boxes = makeBoxEdges(*graph, *tree, data->folding);
    if (job.cancelled())
        return cancelledError();
    std::shared_ptr<Preparation> made(new Preparation);
    made->m_graph = std::move(graph);
    made->m_tree = std::move(tree);
    made->m_data = std::move(data);
    return std::shared_ptr<const Preparation>(std::move(made));
}

PreparedScope Preparation::scope(GroupId id) const
{
    PreparedScope result;
    result.group = id;
    ScopeBuilder builder(m_data->boxes, m_data->boxes.ofGroup[id.value]);
    for (const ItemId child : m_tree->group(id).children) {
        if (m_data->boxes.of(child).isEmpty())
            continue;
        builder.addItem(child);
        PreparedItem& item = result.items.emplace_back();
        item.item = child;
        if (child.isNode())
            item.folded = m_data->folding.chips[child.index];
    }
    result.edges = builder.run();
    cutHubs(result, m_data->options);
    return result;
}

ItemId Preparation::shownBy(NodeId id) const
{
    const NodeId host = m_data->folding.host[id.value];
    return host.isValid() ? ItemId::of(host) : ItemId{};
}

const HiddenNode* Preparation::hidden(NodeId id) const
{
    const std::uint32_t index = m_data->folding.hiddenIndex[id.value];
    return index == Folding::none ? nullptr : &m_data->folding.hidden[index];
}

const LoopPort* Preparation::port(NodeId id) const
{
    const auto port = m_data->folding.ports.find(id);
    return port == m_data->folding.ports.end() ? nullptr : &port->second;
}

bool Preparation::isFoldedSize(NodeId id) const
{
    return m_data->folding.isSize[id.value] && hidden(id) != nullptr;
}

} // namespace lapidary
