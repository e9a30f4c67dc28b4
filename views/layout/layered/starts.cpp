// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/orderer.h"

#include <algorithm>
#include <deque>
#include <numeric>

namespace lapidary::layered {

std::span<const Orderer::Start> Orderer::startTable()
{
    using enum Walk;
    static constexpr Style a{.median = true, .tiesReversed = false, .flips = Flips::Alternate};
    static constexpr Style b{.median = false, .tiesReversed = true, .flips = Flips::Alternate};
    static constexpr Style c{.median = true, .tiesReversed = false, .flips = Flips::Always};
    static constexpr Style d{.median = true, .tiesReversed = true, .flips = Flips::Alternate};
    static constexpr std::array<Start, 12> table{{
        {.walk = Breadth, .fromSinks = true, .style = a},
        {.walk = Depth, .fromSinks = true, .style = b},
        {.walk = Directed, .fromSinks = true, .style = c},
        {.walk = Directed, .fromSinks = false, .style = d},
        {.walk = Directed, .fromSinks = false, .style = a, .shuffled = true},
        {.walk = Directed, .fromSinks = true, .style = b, .shuffled = true},
        {.walk = Breadth, .fromSinks = false, .style = c, .shuffled = true},
        {.walk = Breadth, .fromSinks = true, .style = d, .shuffled = true},
        {.walk = Directed, .fromSinks = false, .style = a, .shuffled = true},
        {.walk = Directed, .fromSinks = true, .style = b, .shuffled = true},
        {.walk = Breadth, .fromSinks = false, .style = c, .shuffled = true},
        {.walk = Breadth, .fromSinks = true, .style = d, .shuffled = true},
    }};
    return table;
}

Orderer::Orderer(const LayerGraph& graph, Work& work, std::uint64_t seed)
    : m_graph(graph)
    , m_work(work)
    , m_random(seed)
    , m_order(graph.rank.size())
    , m_position(graph.rank.size())
    , m_best(graph.rank.size())
    , m_gap(std::size_t(std::max(graph.ranks(), 1)))
    , m_dirty(std::size_t(std::max(graph.ranks(), 1)), 1)
    , m_candidate(std::size_t(graph.ranks()))
    , m_filled(std::size_t(graph.ranks()))
    , m_visited(graph.rank.size())
{
    constexpr std::int64_t unknown = INT64_MAX;
    int first = 0;
    for (int r = 1; r < graph.ranks(); ++r) {
        if (graph.rankSize(r) != 1 && r + 1 < graph.ranks())
            continue;
        m_blocks.push_back({first, r, unknown});
        first = r;
    }
    if (graph.ranks() == 1)
        m_blocks.push_back({0, 0, unknown});
}

std::int64_t Orderer::crossings() const
{
    return std::accumulate(m_blocks.begin(), m_blocks.end(), std::int64_t{0},
                           [](std::int64_t sum, const Block& b) { return sum + b.best; });
}

void Orderer::starts()
{
    bool isFirst = true;
    for (const Start& start : startTable()) {
        if (!isFirst && (!m_work.left() || crossings() == 0))
            break;
        run(start);
        isFirst = false;
    }
    restoreBest();
    if (crossings() == 0 || m_work.cancelled())
        return;
    transpose(0, m_graph.ranks() - 1, false);
    keepBest();
}

void Orderer::adopt(std::vector<int> order)
{
    m_best = std::move(order);
    restoreBest();
    keepBest();
}

void Orderer::append(int v)
{
    m_visited[v] = 1;
    const int r = m_graph.rank[v];
    m_order[m_graph.rankStart[r] + m_filled[r]++] = v;
}

std::vector<int> Orderer::seeds(bool sinks, bool shuffled)
{
    std::vector<int> ends;
    std::vector<int> rest;
    for (int v = 0; v < m_graph.size(); ++v) {
        const bool isEnd = (sinks ? m_graph.down.count(v) : m_graph.up.count(v)) == 0;
        (isEnd ? ends : rest).push_back(v);
    }
    if (shuffled) {
        m_random.shuffle(ends);
        m_random.shuffle(rest);
    }
    ends.insert(ends.end(), rest.begin(), rest.end());
    return ends;
}

std::vector<int> Orderer::neighbors(int v, bool down, bool shuffled)
{
    const std::span<const int> list = down ? m_graph.down.of(v) : m_graph.up.of(v);
    std::vector<int> copy(list.begin(), list.end());
    if (shuffled)
        m_random.shuffle(copy);
    return copy;
}

void Orderer::begin(const Start& start)
{
    std::fill(m_visited.begin(), m_visited.end(), std::uint8_t{0});
    std::fill(m_filled.begin(), m_filled.end(), 0);
    const std::vector<int> from = seeds(start.fromSinks, start.shuffled);
    if (start.walk == Walk::Directed)
        beginDirected(start.fromSinks, from, start.shuffled);
    else
        beginUndirected(start, from);
    fixPorts();
    for (int r = 0; r < m_graph.ranks(); ++r)
        setPositions(r);
    std::fill(m_dirty.begin(), m_dirty.end(), std::uint8_t{1});
    m_work.spend(std::int64_t{2} * m_graph.size());
}

void Orderer::beginDirected(bool fromSinks, std::span<const int> from, bool shuffled)
{
    std::vector<int> queue;
    for (const int seed : from) {
        if (m_visited[seed])
            continue;
        queue.assign(1, seed);
        append(seed);
        for (std::size_t i = 0; i < queue.size(); ++i)
            for (const int w : neighbors(queue[i], !fromSinks, shuffled))
                if (!m_visited[w]) {
                    append(w);
                    queue.push_back(w);
                }
    }
}

void Orderer::beginUndirected(const Start& start, std::span<const int> from)
{
    std::deque<int> open;
    std::vector<std::uint8_t> queued(m_visited.size());
    const bool depth = start.walk == Walk::Depth;
    for (const int seed : from) {
        if (m_visited[seed])
            continue;
        open.push_back(seed);
        while (!open.empty()) {
            const int v = depth ? open.back() : open.front();
            depth ? open.pop_back() : open.pop_front();
            if (m_visited[v])
                continue;
            append(v);
            std::vector<int> next = neighbors(v, !start.fromSinks, start.shuffled);
            for (const int w : neighbors(v, start.fromSinks, start.shuffled))
                next.push_back(w);
            if (depth)
                std::reverse(next.begin(), next.end());
            for (const int w : next)
                if (!m_visited[w] && (depth || !queued[w])) {
                    queued[w] = 1;
                    open.push_back(w);
                }
        }
    }
}

void Orderer::fixPorts()
{
    for (const int r : {0, m_graph.ranks() - 1})
        if (m_graph.isFixed(r))
            std::ranges::sort(row(r));
}

} // namespace lapidary::layered
