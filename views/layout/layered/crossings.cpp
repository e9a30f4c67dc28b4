// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/orderer.h"

#include <algorithm>

namespace lapidary::layered {
namespace {

constexpr int smallRank = 64;

std::int64_t countSmall(std::span<int> counter, int position)
{
    std::int64_t sum = 0;
    for (int p = position + 1; p < int(counter.size()); ++p)
        sum += counter[p];
    return sum;
}

// Counts the entries above `position` in a Fenwick tree that counts from the far end.
std::int64_t countFenwick(std::span<const int> tree, int position)
{
    std::int64_t sum = 0;
    for (int i = int(tree.size()) - 1 - position; i > 0; i -= i & -i)
        sum += tree[i - 1];
    return sum;
}

void addFenwick(std::span<int> tree, int position)
{
    for (int i = int(tree.size()) - position; i <= int(tree.size()); i += i & -i)
        ++tree[i - 1];
}

} // namespace

void Orderer::markDirty(int rank)
{
    if (rank > 0)
        m_dirty[rank - 1] = 1;
    if (rank + 1 < m_graph.ranks())
        m_dirty[rank] = 1;
}

std::int64_t Orderer::countGap(int gap)
{
    const int width = m_graph.rankSize(gap + 1);
    if (width < 2 || m_graph.rankSize(gap) < 2)
        return 0;
    m_counter.assign(std::size_t(width), 0);
    std::int64_t sum = 0;
    std::int64_t touched = 0;
    for (const int v : row(gap)) {
        const std::span<const int> down = m_graph.down.of(v);
        touched += 1 + std::int64_t(down.size());
        for (const int w : down)
            sum += width <= smallRank ? countSmall(m_counter, m_position[w])
                                      : countFenwick(m_counter, m_position[w]);
        for (const int w : down) {
            if (width <= smallRank)
                ++m_counter[m_position[w]];
            else
                addFenwick(m_counter, m_position[w]);
        }
    }
    m_work.spend(touched * 2);
    return sum;
}

std::int64_t Orderer::gapCrossings(int gap)
{
    if (m_dirty[gap]) {
        m_gap[gap] = countGap(gap);
        m_dirty[gap] = 0;
    }
    return m_gap[gap];
}

std::int64_t Orderer::crossingsBetween(int firstGap, int endGap)
{
    std::int64_t sum = 0;
    for (int g = std::max(firstGap, 0); g < std::min(endGap, m_graph.ranks() - 1); ++g)
        sum += gapCrossings(g);
    return sum;
}

Orderer::PairCrossings Orderer::pairCrossings(std::span<const int> left, std::span<const int> right)
{
    PairCrossings count;
    if (left.size() * right.size() <= 32) {
        for (const int a : left) {
            const int p = m_position[a];
            for (const int b : right) {
                count.kept += p > m_position[b];
                count.swapped += p < m_position[b];
            }
        }
        return count;
    }
    const auto gather = [&](std::span<const int> from, std::vector<int>& to) {
        to.clear();
        for (const int v : from)
            to.push_back(m_position[v]);
        std::ranges::sort(to);
    };
    gather(left, m_scratch);
    gather(right, m_scratch2);
    std::size_t below = 0;    // number on the right side that are less than p
    std::size_t notAbove = 0; // number on the right side that are at most p
    for (const int p : m_scratch) {
        while (below < m_scratch2.size() && m_scratch2[below] < p)
            ++below;
        while (notAbove < m_scratch2.size() && m_scratch2[notAbove] <= p)
            ++notAbove;
        count.kept += std::int64_t(below);
        count.swapped += std::int64_t(m_scratch2.size() - notAbove);
    }
    return count;
}

} // namespace lapidary::layered
