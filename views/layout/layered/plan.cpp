// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/plan.h"

#include "views/layout/layered/components.h"
#include "views/layout/layered/orderer.h"
#include "views/layout/layered/ranks.h"
#include "views/layout/layered/skips.h"
#include "views/layout/layered/wrapping.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace lapidary::layered {
namespace {

// Leaves out loops on one vertex, and the longest edges until the dummies of the rest are within
// the allowance. Returns true if an edge between two vertices was cut.
bool cutLongest(const Problem& problem, const PlanOptions& options, const std::vector<int>& rank,
                std::vector<std::uint8_t>& isCut)
{
    std::vector<std::pair<int, int>> spans; // length, edge
    std::int64_t dummies = 0;
    for (std::size_t e = 0; e < problem.edges.size(); ++e) {
        const Problem::Edge& edge = problem.edges[e];
        if (edge.from == edge.to) {
            isCut[e] = 1;
            continue;
        }
        const int inner = std::abs(rank[edge.to] - rank[edge.from]) - 1;
        dummies += inner;
        if (inner > 0)
            spans.emplace_back(inner, int(e));
    }
    const std::int64_t size = problem.vertices + std::int64_t(problem.edges.size());
    const std::int64_t allowed =
        std::max<std::int64_t>(options.dummyFloor, options.dummyFactor * size);
    if (dummies <= allowed)
        return false;
    std::ranges::sort(spans, std::greater<>());
    for (const auto& [inner, e] : spans) {
        if (dummies <= allowed)
            break;
        isCut[e] = 1;
        dummies -= inner;
    }
    return true;
}

struct Partition {
    std::vector<int> part; // part of each vertex
    int count = 0;
    int ports = -1; // the part that contains all ports
};

Partition connectedParts(const Problem& problem, const std::vector<std::uint8_t>& isCut)
{
    Components components(problem.vertices);
    for (std::size_t e = 0; e < problem.edges.size(); ++e)
        if (!isCut[e])
            components.join(problem.edges[e].from, problem.edges[e].to);
    int port = -1;
    for (const auto* ports : {&problem.top, &problem.bottom})
        for (const int v : *ports) {
            if (port >= 0)
                components.join(port, v);
            port = v;
        }
    Partition partition;
    partition.part = components.numbers();
    partition.count = components.count();
    partition.ports = port < 0 ? -1 : partition.part[port];
    return partition;
}

struct Part {
    // The ports of the top come first and those of the bottom last, in order.
    std::vector<int> vertices;
    std::vector<int> edges;
};

std::vector<Part> splitParts(const Problem& problem, const Partition& partition,
                             const std::vector<std::uint8_t>& isCut)
{
    std::vector<Part> parts(std::size_t(partition.count));
    std::vector<std::uint8_t> isPort(std::size_t(problem.vertices));
    for (const auto* ports : {&problem.top, &problem.bottom})
        for (const int v : *ports)
            isPort[v] = 1;
    for (const int v : problem.top)
        parts[partition.ports].vertices.push_back(v);
    for (int v = 0; v < problem.vertices; ++v)
        if (!isPort[v])
            parts[partition.part[v]].vertices.push_back(v);
    for (const int v : problem.bottom)
        parts[partition.ports].vertices.push_back(v);
    for (std::size_t e = 0; e < problem.edges.size(); ++e)
        if (!isCut[e])
            parts[partition.part[problem.edges[e].from]].edges.push_back(int(e));
    if (partition.ports > 0)
        std::rotate(parts.begin(), parts.begin() + partition.ports,
                    parts.begin() + partition.ports + 1);
    return parts;
}

// Returns the part as a graph without dummies. Its ranks are counted from 0, and empty ones are
// removed.
LayerGraph bareGraph(const Problem& problem, const Part& part, const std::vector<int>& rank,
                     const std::vector<std::uint8_t>& reversed, std::vector<int>& local)
{
    LayerGraph graph;
    graph.real = int(part.vertices.size());
    std::vector<int> used;
    for (std::size_t i = 0; i < part.vertices.size(); ++i) {
        local[part.vertices[i]] = int(i);
        graph.rank.push_back(rank[part.vertices[i]]);
    }
    used = graph.rank;
    std::ranges::sort(used);
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (int& r : graph.rank)
        r = int(std::ranges::lower_bound(used, r) - used.begin());

    std::map<std::tuple<int, int, int>, std::size_t> known;
    for (const int e : part.edges) {
        const Problem::Edge& edge = problem.edges[e];
        const int upper = local[reversed[e] ? edge.to : edge.from];
        const int lower = local[reversed[e] ? edge.from : edge.to];
        const int lane = reversed[e] ? -1 - edge.lane : edge.lane;
        const auto [at, isNew] = known.try_emplace({upper, lower, lane}, graph.chains.size());
        if (isNew)
            graph.chains.push_back({upper, lower, lane, {}, {}});
        graph.chains[at->second].edges.push_back(e);
    }
    return graph;
}

Layers toLayers(const LayerGraph& graph, const Part& part, const std::vector<int>& order,
                std::int64_t crossings)
{
    Layers layers;
    layers.vertices = part.vertices;
    layers.rank = graph.rank;
    layers.rankStart = graph.rankStart;
    layers.order = order;
    layers.crossings = crossings;
    for (const LayerGraph::Chain& chain : graph.chains) {
        const int first = int(layers.path.size());
        layers.path.insert(layers.path.end(), chain.path.begin(), chain.path.end());
        for (const int e : chain.edges)
            layers.chains.push_back({e, first, int(chain.path.size())});
    }
    return layers;
}

struct Ordered {
    LayerGraph graph;
    std::vector<int> order;
    std::int64_t crossings = 0;
};

Ordered onePerRank(LayerGraph graph)
{
    Ordered result;
    result.order.resize(std::size_t(graph.size()));
    for (int v = 0; v < graph.size(); ++v)
        result.order[graph.rank[v]] = v;
    result.graph = std::move(graph);
    return result;
}

// Runs the starts and, on request, the windows; then merges lanes. `all`: the whole allowance, in
// units.
Ordered orderGraph(LayerGraph graph, bool shared, bool withWindows, std::int64_t all, Work& work,
                   std::uint64_t seed)
{
    const std::int64_t used = work.used();
    addDummies(graph, shared);
    if (std::ranges::adjacent_find(graph.rankStart, [](int a, int b) { return b - a > 1; }) ==
        graph.rankStart.end())
        return onePerRank(std::move(graph));
    Orderer orderer(graph, work, seed);
    work.allow(all * 35 / 100);
    orderer.starts();
    if (withWindows) {
        work.allow(all - (work.used() - used));
        orderer.windows();
    }
    Ordered result;
    result.order = orderer.best();
    result.crossings = orderer.crossings();
    result.graph = mergeLanes(graph, result.order);
    // Lanes were merged: there are fewer lines and crossings.
    if (result.graph.size() < graph.size()) {
        Work counting(work.job(), INT64_MAX);
        Orderer counter(result.graph, counting, seed);
        counter.adopt(result.order);
        result.crossings = counter.crossings();
    }
    return result;
}

Ordered orderPart(const LayerGraph& bare, const PlanOptions& options, Work& work)
{
    const std::int64_t all = options.orderWork;
    const DummyCount dummies = countDummies(bare.chains, bare.rank);
    const bool tryShared = 2 * (bare.real + dummies.own) > 3 * (bare.real + dummies.shared);
    const std::int64_t used = work.used();
    Ordered own = orderGraph(bare, false, !tryShared, all, work, options.seed);
    if (!tryShared || own.crossings == 0 || work.cancelled())
        return own;
    Ordered shared = orderGraph(bare, true, false, all, work, options.seed);
    Ordered& better = shared.crossings < own.crossings ? shared : own;
    Orderer orderer(better.graph, work, options.seed);
    work.allow(all - (work.used() - used));
    orderer.adopt(better.order);
    orderer.windows();
    better.order = orderer.best();
    better.crossings = orderer.crossings();
    return std::move(better);
}

} // namespace

Result<Plan> makePlan(const Problem& problem, const PlanOptions& options, const Job& job)
{
    Plan plan;
    Work work(job, options.rankWork);
    plan.reversed = findReversed(problem, work);
    plan.isCut.resize(problem.edges.size());
    std::vector<int> rank = rankVertices(problem, plan.reversed, plan.isCut, work);
    if (cutLongest(problem, options, rank, plan.isCut)) {
        work.allow(options.rankWork);
        rank = rankVertices(problem, plan.reversed, plan.isCut, work);
    }
    cutSkips(problem, options, rank, plan.reversed, plan.isCut);
    if (job.cancelled())
        return cancelledError();

    const Partition partition = connectedParts(problem, plan.isCut);
    const std::vector<Part> parts = splitParts(problem, partition, plan.isCut);
    std::vector<int> local(std::size_t(problem.vertices));
    const auto flagsOf = [&](const std::vector<int>& vertices) {
        std::vector<bool> flags(std::size_t(problem.vertices));
        for (const int v : vertices)
            flags[std::size_t(v)] = true;
        return flags;
    };
    const std::vector<bool> isAside = flagsOf(problem.aside);
    const std::vector<bool> isOrphan = flagsOf(problem.orphans);
    std::size_t done = 0;
    for (const Part& part : parts) {
        LayerGraph bare = bareGraph(problem, part, rank, plan.reversed, local);
        const bool hasPorts = partition.ports >= 0 && done == 0;
        bare.fixedTop = hasPorts && !problem.top.empty();
        bare.fixedBottom = hasPorts && !problem.bottom.empty();
        Ordered ordered = orderPart(bare, options, work);
        if (work.cancelled() || job.cancelled())
            return cancelledError();
        plan.parts.push_back(toLayers(ordered.graph, part, ordered.order, ordered.crossings));
        plan.parts.back().hasPorts = hasPorts;
        const auto first = std::size_t(part.vertices.front());
        plan.parts.back().isAside = isAside[first];
        plan.parts.back().isOrphan = part.vertices.size() == 1 && isOrphan[first];
        wrapWideRanks(plan.parts.back(), problem, options.widestRank);
        job.progress(double(++done) / double(parts.size()));
    }
    return plan;
}

} // namespace lapidary::layered
