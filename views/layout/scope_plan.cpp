// SPDX-License-Identifier: Apache-2.0
#include "views/layout/scope_plan.h"

#include "views/layout/layered/components.h"
#include "views/layout/layered/plan.h"
#include "views/layout/scene_text.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace lapidary {
namespace {

constexpr int mostStubs = 3;   // at one side of a box; more are "+12"
constexpr int longestSkip = 3; // ranks, see layered::cutSkips()

std::uint64_t keyOf(const GraphEdge& edge)
{
    return (std::uint64_t{edge.reader.value} << 32) | edge.slot;
}

class ScopePlanner {
public:
    ScopePlanner(PreparedScope scope, const ScopePlanInput& input)
        : m_input(input)
    {
        m_plan->scope = std::move(scope);
        m_plan->isStub.resize(edges().size());
        m_plan->problemEdge.assign(edges().size(), -1);
    }

    Result<ScopePlanPtr> run(const Job& job)
    {
        for (const PreparedItem& item : items()) {
            m_plan->faces.push_back(faceOf(item.item));
            m_plan->faces.back().isFed = isFed(item);
            m_plan->pills.push_back(m_input.faces.chips(item));
        }
        m_input.faces.tellApart(items(), m_plan->faces);
        findPorts();
        makeProblem();
        layered::PlanOptions options;
        options.orderWork = m_input.orderWork;
        options.rankWork = std::max<std::int64_t>(m_input.orderWork, 1'000'000);
        options.longestSkip = longestSkip;
        ASSIGN_OR_RETURN(auto plan, layered::makePlan(m_plan->problem, options, job));
        m_plan->plan = std::move(plan);
        for (std::size_t e = 0; e < m_plan->edgeOf.size(); ++e)
            if (m_plan->plan.isCut[e])
                m_plan->isStub[m_plan->edgeOf[e]] = 1;
        makeStubs();
        indexEdges();
        return ScopePlanPtr(m_plan);
    }

private:
    const std::vector<PreparedItem>& items() const { return m_plan->scope.items; }
    const std::vector<PreparedEdge>& edges() const { return m_plan->scope.edges; }
    const Graph& graph() const { return m_input.preparation.graph(); }

    bool isEnd(ItemId item) const
    {
        return item.isNode() && (m_input.options.inputs.contains(item.node()) ||
                                 m_input.options.outputs.contains(item.node()));
    }

    Face faceOf(ItemId item) const
    {
        if (!isEnd(item))
            return m_input.faces.face(item);
        return m_input.options.inputs.contains(item.node()) ? m_input.faces.inputFace(item.node())
                                                            : m_input.faces.endFace(item.node());
    }

    // Tells whether an item is one of these nodes, or a series of them.
    bool isOneOf(const std::set<NodeId>& nodes, ItemId item) const
    {
        if (item.isNode())
            return nodes.contains(item.node());
        const Group& group = m_input.preparation.tree().group(item.group());
        return group.kind == GroupKind::Series &&
               std::ranges::all_of(group.children, [&](ItemId child) {
                   return child.isNode() && nodes.contains(child.node());
               });
    }

    bool isFed(const PreparedItem& item) const
    {
        if (!item.item.isNode())
            return false;
        const std::unordered_set<NodeId> folded(item.folded.begin(), item.folded.end());
        return std::ranges::any_of(graph().inputs(item.item.node()), [&](const Endpoint& from) {
            return !from.isControl() && from.node.isValid() && !folded.contains(from.node);
        });
    }

    bool isPart(std::int32_t item) const
    {
        return item >= 0 && m_input.preparation.tree().isPart(items()[item].item);
    }

    // Tells whether an edge connects the network with a part beside it.
    bool isTie(const PreparedEdge& edge) const { return isPart(edge.from) || isPart(edge.to); }

    Endpoint producer(const PreparedEdge& edge) const
    {
        const GraphEdge& first = edge.edges.front();
        return graph().inputs(first.reader)[first.slot];
    }

    // The edges of the parent at this group's top or bottom, and the graph edges that they carry.
    struct Outer {
        std::vector<int> edges;                       // of the parent's prepared scope
        std::unordered_map<std::uint64_t, int> byKey; // graph edge -> index into edges
    };
    Outer outerEdges(bool top) const
    {
        Outer outer;
        const ScopePlan& parent = *m_input.parent;
        const auto self = parent.itemIndex.find(ItemId::of(m_plan->scope.group));
        if (self == parent.itemIndex.end())
            return outer;
        for (const int e : (top ? parent.edgesInto : parent.edgesOutOf).of(self->second)) {
            if (parent.isStub[e] || parent.problemEdge[e] < 0)
                continue;
            for (const GraphEdge& carried : parent.scope.edges[e].edges)
                outer.byKey.emplace(keyOf(carried), int(outer.edges.size()));
            outer.edges.push_back(e);
        }
        return outer;
    }

    void findPorts()
    {
        for (std::size_t e = 0; e < edges().size(); ++e) {
            const PreparedEdge& edge = edges()[e];
            m_plan->isStub[e] =
                edge.isStub || (edge.isInner && edge.isBack) || (!edge.isInner && isTie(edge));
        }
        if (m_input.parent == nullptr)
            return;
        findPorts(true);
        findPorts(false);
    }

    void findPorts(bool top)
    {
        const Outer outer = outerEdges(top);
        const int count = int(edges().size());
        layered::Components joined(count + int(outer.edges.size()));
        std::vector<int> inner;
        for (int e = 0; e < count; ++e) {
            const PreparedEdge& edge = edges()[e];
            if ((top ? edge.from : edge.to) != PreparedEdge::outside || m_plan->isStub[e])
                continue;
            bool meets = false;
            for (const GraphEdge& carried : edge.edges) {
                const auto at = outer.byKey.find(keyOf(carried));
                if (at == outer.byKey.end())
                    continue;
                joined.join(e, count + at->second);
                meets = true;
            }
            m_plan->isStub[e] = !meets; // the edge continues as a stub outside
            if (meets)
                inner.push_back(e);
        }
        addPorts(joined, inner, outer, top);
    }

    void addPorts(layered::Components& joined, const std::vector<int>& inner, const Outer& outer,
                  bool top)
    {
        const int count = int(edges().size());
        std::unordered_map<int, int> portOf; // by the root of the joined part
        std::vector<ScopePort> ports;
        for (const int e : inner) {
            const auto [at, isNew] = portOf.try_emplace(joined.find(e), int(ports.size()));
            if (isNew)
                ports.push_back({top, {}, {}});
            ports[at->second].inner.push_back(e);
        }
        for (int i = 0; i < int(outer.edges.size()); ++i)
            if (const auto at = portOf.find(joined.find(count + i)); at != portOf.end())
                ports[at->second].outer.push_back(outer.edges[i]);
        sortPorts(ports, top);
        for (ScopePort& port : ports) {
            const int index = int(m_plan->ports.size());
            for (const int e : port.outer)
                (top ? m_plan->topPortOf : m_plan->bottomPortOf).emplace(e, index);
            m_plan->ports.push_back(std::move(port));
        }
    }

    // Sorts ports from left to right in the order in which their edges arrive outside.
    void sortPorts(std::vector<ScopePort>& ports, bool top) const
    {
        const ScopePlan& parent = *m_input.parent;
        const std::vector<int>& places = top ? parent.comesFrom : parent.leadsTo;
        std::vector<std::pair<double, std::size_t>> order;
        for (std::size_t p = 0; p < ports.size(); ++p) {
            double sum = 0;
            for (const int e : ports[p].outer)
                sum += places[e];
            order.emplace_back(sum / std::max<double>(1, double(ports[p].outer.size())), p);
        }
        std::ranges::sort(order);
        std::vector<ScopePort> sorted;
        for (const auto& [place, p] : order)
            sorted.push_back(std::move(ports[p]));
        ports = std::move(sorted);
    }

    // Collects the data that the plans of the scopes inside need.
    void indexEdges()
    {
        ScopePlan& plan = *m_plan;
        for (std::size_t i = 0; i < items().size(); ++i)
            plan.itemIndex.emplace(items()[i].item, int(i));
        std::vector<std::pair<int, int>> into;
        std::vector<std::pair<int, int>> outOf;
        for (std::size_t e = 0; e < edges().size(); ++e) {
            const PreparedEdge& edge = edges()[e];
            if (edge.to >= 0 && edge.from != edge.to)
                into.emplace_back(edge.to, int(e));
            if (edge.from >= 0 && edge.from != edge.to)
                outOf.emplace_back(edge.from, int(e));
        }
        const auto lists = [&](const std::vector<std::pair<int, int>>& pairs) {
            return layered::Lists::make(
                int(items().size()), int(pairs.size()), [&](int i) { return pairs[i].first; },
                [&](int i) { return pairs[i].second; });
        };
        plan.edgesInto = lists(into);
        plan.edgesOutOf = lists(outOf);
        findPlaces();
    }

    void findPlaces()
    {
        ScopePlan& plan = *m_plan;
        plan.comesFrom.assign(edges().size(), -1);
        plan.leadsTo.assign(edges().size(), -1);
        for (const layered::Layers& layers : plan.plan.parts) {
            std::vector<int> position(layers.rank.size());
            for (std::size_t i = 0; i < layers.order.size(); ++i)
                position[layers.order[i]] = int(i);
            for (const layered::Layers::Chain& chain : layers.chains) {
                if (plan.plan.reversed[chain.edge])
                    continue; // such an edge arrives around the left side
                const int* path = layers.path.data() + chain.first;
                plan.comesFrom[plan.edgeOf[chain.edge]] = position[path[chain.count - 2]];
                plan.leadsTo[plan.edgeOf[chain.edge]] = position[path[1]];
            }
        }
    }

    void makeProblem()
    {
        layered::Problem& problem = m_plan->problem;
        const int count = int(items().size());
        problem.vertices = count + int(m_plan->ports.size());
        std::vector<int> portOf(edges().size(), -1);
        for (std::size_t p = 0; p < m_plan->ports.size(); ++p) {
            const ScopePort& port = m_plan->ports[p];
            (port.isTop ? problem.top : problem.bottom).push_back(count + int(p));
            for (const int e : port.inner)
                portOf[e] = count + int(p);
        }
        for (std::size_t e = 0; e < edges().size(); ++e) {
            const PreparedEdge& edge = edges()[e];
            if (m_plan->isStub[e] || edge.isInner || edge.from == edge.to)
                continue;
            const bool enters = edge.from == PreparedEdge::outside;
            const bool leaves = edge.to == PreparedEdge::outside;
            m_plan->problemEdge[e] = int(problem.edges.size());
            m_plan->edgeOf.push_back(int(e));
            problem.edges.push_back({.from = enters ? portOf[e] : edge.from,
                                     .to = leaves ? portOf[e] : edge.to,
                                     .lane = laneOf(edge, enters),
                                     .isBack = edge.isBack && !enters && !leaves});
        }
        const std::vector<bool> isJoined = joined();
        for (std::size_t i = 0; i < items().size(); ++i) {
            const ItemId item = items()[i].item;
            if (item.isNode() && !isJoined[i] && !isEnd(item))
                problem.orphans.push_back(int(i));
            if (isOneOf(m_input.options.inputs, item))
                problem.first.push_back(int(i));
            if (isOneOf(m_input.options.outputs, item))
                problem.last.push_back(int(i));
            const LoopPort* port = item.isNode() ? m_input.preparation.port(item.node()) : nullptr;
            if (port != nullptr && port->isAbove())
                problem.first.push_back(int(i));
            if (port != nullptr && port->isBelow())
                problem.last.push_back(int(i));
            if (isPart(int(i)))
                problem.aside.push_back(int(i));
        }
    }

    // Tells for each item whether it has edges.
    std::vector<bool> joined() const
    {
        std::vector<bool> isJoined(items().size(), false);
        for (const PreparedEdge& edge : edges())
            for (const std::int32_t item : {edge.from, edge.to})
                if (item >= 0 && edge.from != edge.to)
                    isJoined[std::size_t(item)] = true;
        return isJoined;
    }

    // Edges of one tensor and kind may share a lane: they leave an open group through one port.
    int laneOf(const PreparedEdge& edge, bool enters) const
    {
        const int kind = int(edge.kind);
        if (enters)
            return kind;
        const std::uint32_t node = producer(edge).node.value & 0x0FFFFFFFU;
        return int(node) * 4 + kind;
    }

    void makeStubs()
    {
        const auto count = items().size();
        std::vector<std::vector<int>> incoming(count);
        std::vector<std::vector<int>> outgoing(count);
        std::vector<std::vector<int>> tiesInto(count);
        std::vector<std::vector<int>> tiesOutOf(count);
        for (std::size_t e = 0; e < edges().size(); ++e) {
            const PreparedEdge& edge = edges()[e];
            if (!m_plan->isStub[e] || leavesPart(edge))
                continue;
            if (edge.to >= 0)
                (isTie(edge) ? tiesInto : incoming)[edge.to].push_back(int(e));
            if (edge.from >= 0)
                (isTie(edge) ? tiesOutOf : outgoing)[edge.from].push_back(int(e));
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (isPart(int(i)))
                continue; // its ties are shown at the other end
            addTie(m_plan->pills[i], tiesInto[i], true);
            addTie(m_plan->pills[i], tiesOutOf[i], false);
            addStubs(m_plan->pills[i], incoming[i], true);
            addStubs(m_plan->pills[i], outgoing[i], false);
        }
    }

    ItemId otherEnd(const PreparedEdge& edge, bool incoming) const
    {
        const int other = incoming ? edge.from : edge.to;
        if (other >= 0)
            return items()[other].item;
        const NodeId node = incoming ? producer(edge).node : edge.edges.front().reader;
        const ItemId shown = m_input.preparation.shownBy(node);
        return shown.isValid() ? shown : ItemId::of(node);
    }

    // Tells whether an edge leaves the scope, a part of the network, for another part: that is
    // shown at the root, or not at all.
    bool leavesPart(const PreparedEdge& edge) const
    {
        const NodeParts* parts = m_input.preparation.tree().parts();
        if (parts == nullptr || (edge.from >= 0 && edge.to >= 0))
            return false;
        const Part from = parts->of[producer(edge).node.value];
        const Part to = parts->of[edge.edges.front().reader.value];
        return from != to && (edge.from >= 0 ? from : to) == Part::Network;
    }

    // Adds one pill for all edges between a box and the parts beside the network.
    void addTie(std::vector<Pill>& pills, const std::vector<int>& ties, bool incoming) const
    {
        std::vector<ItemId> parts;
        for (const int e : ties)
            parts.push_back(otherEnd(edges()[e], incoming));
        std::ranges::sort(parts);
        parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
        if (parts.empty())
            return;
        std::string text = m_input.faces.titleOf(parts.front());
        text = text.substr(0, text.find(' '));
        if (parts.size() > 1)
            text += " +" + std::to_string(parts.size() - 1);
        Pill pill = m_input.faces.stub(parts.front(), text);
        pill.edges = ties;
        pill.isIncoming = incoming;
        pills.push_back(std::move(pill));
    }

    void addStubs(std::vector<Pill>& pills, const std::vector<int>& stubs, bool incoming) const
    {
        const int count = int(stubs.size());
        const int single = count <= mostStubs ? count : mostStubs - 1;
        for (int i = 0; i < single; ++i) {
            const ItemId item = otherEnd(edges()[stubs[i]], incoming);
            Pill pill = m_input.faces.stub(item, m_input.faces.titleOf(item));
            pill.edges = {stubs[i]};
            pill.isIncoming = incoming;
            pills.push_back(std::move(pill));
        }
        if (single == count)
            return;
        Pill rest = m_input.faces.stub(otherEnd(edges()[stubs[single]], incoming),
                                       "+" + std::to_string(count - single));
        rest.edges.assign(stubs.begin() + single, stubs.end());
        rest.isIncoming = incoming;
        pills.push_back(std::move(rest));
    }

    const ScopePlanInput& m_input;
    std::shared_ptr<ScopePlan> m_plan = std::make_shared<ScopePlan>();
};

} // namespace

Result<ScopePlanPtr> planScope(PreparedScope scope, const ScopePlanInput& input, const Job& job)
{
    return ScopePlanner(std::move(scope), input).run(job);
}

std::int64_t scopeSize(const PreparedScope& scope)
{
    return std::int64_t(scope.items.size() + scope.edges.size());
}

} // namespace lapidary
