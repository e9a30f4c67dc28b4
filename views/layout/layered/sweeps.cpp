// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/orderer.h"

#include <algorithm>

namespace lapidary::layered {

void Orderer::setPositions(int rank)
{
    int position = 0;
    for (const int v : row(rank))
        m_position[v] = position++;
}

float Orderer::medianOf(std::span<const int> sorted) const
{
    const std::size_t n = sorted.size();
    const std::size_t middle = n / 2;
    if (n % 2 == 1)
        return float(sorted[middle]);
    const auto low = float(sorted[middle - 1]);
    const auto high = float(sorted[middle]);
    const float lowSpread = low - float(sorted.front());
    const float highSpread = float(sorted.back()) - high;
    if (n == 2 || lowSpread == highSpread)
        return (low + high) / 2;
    return (low * highSpread + high * lowSpread) / (lowSpread + highSpread);
}

// Returns the position that v's neighbors above or below suggest; -1 if it has none.
float Orderer::keyOf(int v, bool byUpper, bool median)
{
    const std::span<const int> list = byUpper ? m_graph.up.of(v) : m_graph.down.of(v);
    if (list.empty())
        return -1;
    if (list.size() == 1)
        return float(m_position[list[0]]);
    if (median) {
        m_scratch.clear();
        for (const int w : list)
            m_scratch.push_back(m_position[w]);
        std::ranges::sort(m_scratch);
        return medianOf(m_scratch);
    }
    std::int64_t sum = 0;
    for (const int w : list)
        sum += m_position[w];
    return float(sum) / float(list.size());
}

void Orderer::sortRank(int rank, bool byUpper, const Style& style, bool reverseTies)
{
    const std::span<int> vertices = row(rank);
    if (vertices.size() < 2 || m_graph.isFixed(rank))
        return;
    m_keyed.clear();
    std::int64_t touched = 0;
    int tie = 0;
    for (const int v : vertices) {
        touched += 1 + (byUpper ? m_graph.up.count(v) : m_graph.down.count(v));
        const float key = keyOf(v, byUpper, style.median);
        if (key >= 0)
            m_keyed.push_back({key, reverseTies ? -tie : tie, v});
        ++tie;
    }
    m_work.spend(touched);
    std::ranges::sort(m_keyed, [](const Keyed& a, const Keyed& b) {
        return a.key != b.key ? a.key < b.key : a.tie < b.tie;
    });
    bool changed = false;
    std::size_t next = 0;
    for (int& v : vertices) {
        const bool stays = (byUpper ? m_graph.up.count(v) : m_graph.down.count(v)) == 0;
        if (stays)
            continue;
        changed = changed || v != m_keyed[next].vertex;
        v = m_keyed[next++].vertex;
    }
    if (!changed)
        return;
    setPositions(rank);
    markDirty(rank);
}

void Orderer::sweep(int first, int last, bool downwards, const Style& style, bool reverseTies)
{
    const int ranks = m_graph.ranks();
    if (downwards) {
        for (int r = std::max(first, 1); r <= last; ++r)
            sortRank(r, true, style, reverseTies);
    } else {
        for (int r = std::min(last, ranks - 2); r >= first; --r)
            sortRank(r, false, style, reverseTies);
    }
}

// Passes once from left to right over neighboring pairs; returns the number of crossings removed.
std::int64_t Orderer::transposeRank(int rank, bool flips, bool& swapped)
{
    const std::span<int> vertices = row(rank);
    const bool hasUpper = rank > 0;
    const bool hasLower = rank + 1 < m_graph.ranks();
    std::int64_t gain = 0;
    std::int64_t touched = 0;
    for (std::size_t i = 0; i + 1 < vertices.size(); ++i) {
        const int v = vertices[i];
        const int w = vertices[i + 1];
        touched += 2 + m_graph.up.count(v) + m_graph.down.count(v);
        const PairCrossings upper = pairCrossings(m_graph.up.of(v), m_graph.up.of(w));
        const PairCrossings lower = pairCrossings(m_graph.down.of(v), m_graph.down.of(w));
        const std::int64_t kept = upper.kept + lower.kept;
        const std::int64_t other = upper.swapped + lower.swapped;
        if (other > kept || (other == kept && (kept == 0 || !flips)))
            continue;
        std::swap(vertices[i], vertices[i + 1]);
        std::swap(m_position[v], m_position[w]);
        swapped = true;
        gain += kept - other;
        if (hasUpper)
            m_gap[rank - 1] += upper.swapped - upper.kept;
        if (hasLower)
            m_gap[rank] += lower.swapped - lower.kept;
    }
    m_work.spend(touched);
    return gain;
}

void Orderer::transpose(int first, int last, bool flips)
{
    std::fill(m_candidate.begin() + first, m_candidate.begin() + last + 1, std::uint8_t{1});
    const int ranks = m_graph.ranks();
    std::int64_t gain = 1;
    for (int round = 0; gain >= 1 && round < 200; ++round) {
        gain = 0;
        for (int r = first; r <= last; ++r) {
            if (!m_candidate[r] || m_graph.isFixed(r) || m_graph.rankSize(r) < 2)
                continue;
            m_candidate[r] = 0;
            const std::int64_t around =
                (r > 0 ? gapCrossings(r - 1) : 0) + (r + 1 < ranks ? gapCrossings(r) : 0);
            if (around == 0)
                continue;
            bool swapped = false;
            gain += transposeRank(r, flips, swapped);
            if (!m_work.left())
                return;
            if (swapped)
                for (int near = std::max(first, r - 1); near <= std::min(last, r + 1); ++near)
                    m_candidate[near] = 1;
        }
    }
}

void Orderer::keepBest()
{
    for (Block& block : m_blocks) {
        const std::int64_t now = crossingsBetween(block.first, block.last);
        if (now > block.best)
            continue;
        block.best = now;
        const int from = m_graph.rankStart[block.first];
        const int to = m_graph.rankStart[block.last + 1];
        std::copy(m_order.begin() + from, m_order.begin() + to, m_best.begin() + from);
    }
}

void Orderer::restoreBest()
{
    m_order = m_best;
    for (int r = 0; r < m_graph.ranks(); ++r)
        setPositions(r);
    std::fill(m_dirty.begin(), m_dirty.end(), std::uint8_t{1});
}

void Orderer::run(const Start& start)
{
    constexpr int iterations = 8;
    constexpr int patience = 4;
    const int last = m_graph.ranks() - 1;
    begin(start);
    keepBest();
    std::int64_t least = crossingsBetween(0, last);
    int stalled = 0;
    for (int i = 0; i < iterations && stalled < patience && least > 0; ++i) {
        sweep(0, last, i % 2 == 0, start.style, start.style.tiesReversed && i % 4 < 2);
        const bool flips = start.style.flips == Flips::Always ||
                           (start.style.flips == Flips::Alternate && i % 4 >= 2);
        transpose(0, last, flips);
        keepBest();
        const std::int64_t now = crossingsBetween(0, last);
        stalled = now < least ? 0 : stalled + 1;
        least = std::min(least, now);
        if (!m_work.left())
            return;
    }
}

} // namespace lapidary::layered
