// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/ranks.h"

#include "views/layout/layered/components.h"
#include "views/layout/layered/csr.h"
#include "views/layout/layered/simplex.h"

#include <algorithm>
#include <limits>

namespace lapidary::layered {
namespace {

struct Arc {
    int upper;
    int lower;
};

// Returns the edges between vertices other than ports, in the direction of the flow, each pair
// once.
std::vector<Arc> innerArcs(const Problem& problem, const std::vector<std::uint8_t>& reversed,
                           const std::vector<std::uint8_t>& isCut,
                           const std::vector<std::uint8_t>& isPort)
{
    std::vector<Arc> arcs;
    for (std::size_t e = 0; e < problem.edges.size(); ++e) {
        const Problem::Edge& edge = problem.edges[e];
        if (edge.from == edge.to || isCut[e] || isPort[edge.from] || isPort[edge.to])
            continue;
        arcs.push_back(reversed[e] ? Arc{edge.to, edge.from} : Arc{edge.from, edge.to});
    }
    std::ranges::sort(arcs, {}, [](const Arc& a) { return std::pair(a.upper, a.lower); });
    const auto same = [](const Arc& a, const Arc& b) {
        return a.upper == b.upper && a.lower == b.lower;
    };
    arcs.erase(std::unique(arcs.begin(), arcs.end(), same), arcs.end());
    return arcs;
}

std::vector<int> longestPath(int vertices, const std::vector<Arc>& arcs, const Lists& out,
                             std::vector<int>& order, Work& work)
{
    std::vector<int> open(std::size_t(vertices), 0);
    for (const Arc& a : arcs)
        ++open[a.lower];
    for (int v = 0; v < vertices; ++v)
        if (open[v] == 0)
            order.push_back(v);
    std::vector<int> rank(std::size_t(vertices), 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const int v = order[i];
        work.spend(1 + out.count(v));
        for (const int a : out.of(v)) {
            const int to = arcs[a].lower;
            rank[to] = std::max(rank[to], rank[v] + 1);
            if (--open[to] == 0)
                order.push_back(to);
        }
    }
    return rank;
}

// Moves vertices with more readers than producers down to their first reader.
void tighten(const std::vector<Arc>& arcs, const Lists& out, const Lists& in,
             const std::vector<int>& order, std::vector<int>& rank)
{
    for (auto v = order.rbegin(); v != order.rend(); ++v) {
        if (out.count(*v) == 0 || out.count(*v) <= in.count(*v))
            continue;
        int lowest = std::numeric_limits<int>::max();
        for (const int a : out.of(*v))
            lowest = std::min(lowest, rank[arcs[a].lower] - 1);
        rank[*v] = lowest;
    }
}

// Makes each part's first rank 0; parts whose edges only leave the scope are aligned at the bottom.
void alignParts(const Problem& problem, const std::vector<int>& part, int parts,
                const std::vector<std::uint8_t>& isPort, std::vector<int>& rank)
{
    struct Range {
        int low = std::numeric_limits<int>::max();
        int high = std::numeric_limits<int>::min();
        bool enters = false;
        bool leaves = false;
    };
    std::vector<Range> ranges(static_cast<std::size_t>(parts));
    for (int v = 0; v < problem.vertices; ++v) {
        if (isPort[v])
            continue;
        Range& range = ranges[part[v]];
        range.low = std::min(range.low, rank[v]);
        range.high = std::max(range.high, rank[v]);
    }
    for (const Problem::Edge& edge : problem.edges) {
        if (isPort[edge.from] && !isPort[edge.to])
            ranges[part[edge.to]].enters = true;
        if (isPort[edge.to] && !isPort[edge.from])
            ranges[part[edge.from]].leaves = true;
    }
    int deepest = 0;
    for (const Range& range : ranges)
        if (range.enters || range.leaves)
            deepest = std::max(deepest, range.high - range.low);
    for (int v = 0; v < problem.vertices; ++v) {
        if (isPort[v])
            continue;
        const Range& range = ranges[part[v]];
        const bool hangs = range.leaves && !range.enters;
        rank[v] += hangs ? deepest - range.high : -range.low;
    }
}

void placeWanted(const Problem& problem, const std::vector<int>& part, int parts,
                 const std::vector<Arc>& arcs, std::vector<int>& rank)
{
    std::vector<int> low(std::size_t(parts), std::numeric_limits<int>::max());
    std::vector<int> high(std::size_t(parts), std::numeric_limits<int>::min());
    std::vector<std::uint8_t> hasIn(rank.size());
    std::vector<std::uint8_t> hasOut(rank.size());
    for (const Arc& a : arcs) {
        hasIn[a.lower] = 1;
        hasOut[a.upper] = 1;
    }
    for (std::size_t v = 0; v < rank.size(); ++v) {
        low[part[v]] = std::min(low[part[v]], rank[v]);
        high[part[v]] = std::max(high[part[v]], rank[v]);
    }
    for (const int v : problem.first)
        if (!hasIn[v] && hasOut[v])
            rank[v] = low[part[v]];
    for (const int v : problem.last)
        if (!hasOut[v] && hasIn[v])
            rank[v] = high[part[v]];
}

void placePorts(const Problem& problem, std::vector<int>& rank)
{
    if (problem.top.empty() && problem.bottom.empty())
        return;
    int high = -1;
    std::vector<std::uint8_t> isPort(rank.size());
    for (const auto* ports : {&problem.top, &problem.bottom})
        for (const int v : *ports)
            isPort[v] = 1;
    const int shift = problem.top.empty() ? 0 : 1;
    for (std::size_t v = 0; v < rank.size(); ++v) {
        if (isPort[v])
            continue;
        rank[v] += shift;
        high = std::max(high, rank[v]);
    }
    for (const int v : problem.top)
        rank[v] = 0;
    for (const int v : problem.bottom)
        rank[v] = std::max(high + 1, shift);
}

} // namespace

std::vector<int> rankVertices(const Problem& problem, const std::vector<std::uint8_t>& reversed,
                              const std::vector<std::uint8_t>& isCut, Work& work)
{
    std::vector<std::uint8_t> isPort(std::size_t(problem.vertices));
    for (const auto* ports : {&problem.top, &problem.bottom})
        for (const int v : *ports)
            isPort[v] = 1;
    const std::vector<Arc> arcs = innerArcs(problem, reversed, isCut, isPort);
    const int count = int(arcs.size());
    const auto at = [](int i) { return i; };
    const Lists out = Lists::make(
        problem.vertices, count, [&](int i) { return arcs[i].upper; }, at);
    const Lists in = Lists::make(
        problem.vertices, count, [&](int i) { return arcs[i].lower; }, at);

    std::vector<int> order;
    std::vector<int> rank = longestPath(problem.vertices, arcs, out, order, work);
    tighten(arcs, out, in, order, rank);
    std::vector<SimplexEdge> edges;
    edges.reserve(arcs.size());
    for (const Arc& a : arcs)
        edges.push_back({.tail = a.upper, .head = a.lower, .length = 1, .weight = 1});
    networkSimplex(edges, rank, work);

    Components inner(problem.vertices);
    for (const Arc& a : arcs)
        inner.join(a.upper, a.lower);
    const std::vector<int> part = inner.numbers();
    alignParts(problem, part, inner.count(), isPort, rank);
    placeWanted(problem, part, inner.count(), arcs, rank);
    placePorts(problem, rank);
    return rank;
}

} // namespace lapidary::layered
