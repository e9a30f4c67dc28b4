// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/orderer.h"

#include <algorithm>
#include <cmath>

namespace lapidary::layered {

void Orderer::windows()
{
    if (crossings() == 0)
        return;
    restoreBest();
    const int ranks = m_graph.ranks();
    int stalled = 0;
    std::vector<int> gaps; // gaps with crossings
    bool stale = true;
    for (int round = 0; round < 50 * m_graph.size() && m_work.left(); ++round) {
        if (stale) {
            gaps.clear();
            for (int g = 0; g + 1 < ranks; ++g)
                if (gapCrossings(g) > 0)
                    gaps.push_back(g);
        }
        if (gaps.empty() || stalled > 16 * int(gaps.size()) + 30)
            break;
        stale = window(gaps);
        stalled = stale ? 0 : stalled + 1;
    }
    keepBest();
}

// Makes one attempt; returns true if there are fewer crossings.
bool Orderer::window(std::span<const int> gaps)
{
    constexpr int tallest = 30;
    constexpr int iterations = 4;
    const int ranks = m_graph.ranks();
    const int gap = gaps[m_random.below(int(gaps.size()))];
    const int height = std::min(ranks, 1 + m_random.below(tallest));
    const int above = height == 1 ? -m_random.below(2) : m_random.below(height - 1);
    const int first = std::clamp(gap - above, 0, ranks - height);
    const int last = first + height - 1;
    const std::int64_t before = crossingsBetween(first - 1, last + 1);
    const int from = m_graph.rankStart[first];
    const int to = m_graph.rankStart[last + 1];
    std::vector<int> best(m_order.begin() + from, m_order.begin() + to);
    std::int64_t least = before + 1;

    disturb(gap, first, last);
    const bool downFirst = m_random.below(2) == 0;
    for (int i = 0; i < iterations; ++i) {
        sweep(first, last, (i % 2 == 0) == downFirst, Style{}, false);
        transpose(first, last, i % 4 >= 2);
        const std::int64_t now = crossingsBetween(first - 1, last + 1);
        if (now < least) {
            least = now;
            std::copy(m_order.begin() + from, m_order.begin() + to, best.begin());
        }
        if (!m_work.left() || least == 0)
            break;
    }
    std::copy(best.begin(), best.end(), m_order.begin() + from);
    for (int r = first; r <= last; ++r) {
        setPositions(r);
        markDirty(r);
    }
    return least < before;
}

void Orderer::disturb(int gap, int first, int last)
{
    const int kind = m_random.below(3);
    if (kind == 0) {
        shuffleRanks(first, last);
        return;
    }
    if (kind == 1) {
        for (const int r : {gap, gap + 1}) {
            const int width = m_graph.rankSize(r);
            if (r < first || r > last || m_graph.isFixed(r))
                continue;
            moveWithin(r, row(r)[m_random.below(width)], m_random.below(width));
        }
    } else {
        movePath(gap, first, last);
    }
    transpose(first, last, true);
}

void Orderer::shuffleRanks(int first, int last)
{
    for (int r = first; r <= last; ++r) {
        if (m_graph.isFixed(r))
            continue;
        m_random.shuffle(row(r));
        setPositions(r);
        markDirty(r);
    }
    m_work.spend(m_graph.rankStart[last + 1] - m_graph.rankStart[first]);
}

void Orderer::moveWithin(int rank, int v, int place)
{
    const std::span<int> vertices = row(rank);
    const int now = m_position[v];
    const auto at = vertices.begin();
    if (place < now)
        std::rotate(at + place, at + now, at + now + 1);
    else
        std::rotate(at + now, at + now + 1, at + place + 1);
    setPositions(rank);
    markDirty(rank);
    m_work.spend(m_graph.rankSize(rank));
}

// Moves a random path through the window to one side, or to the same relative position everywhere.
void Orderer::movePath(int gap, int first, int last)
{
    const int rank = std::clamp(gap, first, last);
    std::vector<int> path{row(rank)[m_random.below(m_graph.rankSize(rank))]};
    const auto follow = [&](bool down) {
        int v = path.front();
        while (m_graph.rank[v] != (down ? last : first)) {
            const std::span<const int> next = down ? m_graph.down.of(v) : m_graph.up.of(v);
            if (next.empty())
                return;
            v = next[m_random.below(int(next.size()))];
            path.push_back(v);
        }
    };
    follow(true);
    follow(false);
    const int kind = m_random.below(3);
    const double relative = kind == 0 ? 0.0 : kind == 1 ? 1.0 : m_random.below(1001) / 1000.0;
    for (const int v : path) {
        const int r = m_graph.rank[v];
        if (!m_graph.isFixed(r))
            moveWithin(r, v, int(std::lround(relative * (m_graph.rankSize(r) - 1))));
    }
}

} // namespace lapidary::layered
