// SPDX-License-Identifier: Apache-2.0
// Coordinates across the flow. Links are made straight in the order of how much a bend in them
// disturbs (lanes, then the longest runs of boxes, then the rest), as long as straight links do not
// cross: the vertices joined by straight links are a block with one x. Blocks keep their distance
// in every rank and are moved by network simplex so that the remaining links become short. O(links
// log links), without the simplex, which has an allowance.
#include "views/layout/layered/csr.h"
#include "views/layout/layered/part_frame.h"
#include "views/layout/layered/simplex.h"
#include "views/layout/layered/work.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lapidary::layered {
namespace {

class Blocks {
public:
    Blocks(PartFrame& frame, Work& work)
        : m_frame(frame)
        , m_work(work)
    {
    }

    void run()
    {
        centerWide();
        align();
        makeBlocks();
        makeDistances();
        compactLeft();
        for (int i = 0; i < 3 && m_work.left() && !m_bent.empty(); ++i) {
            pull(true);
            pull(false);
        }
        if (!m_bent.empty())
            simplex();
        finish();
        for (const Centered& centered : m_centered) {
            Link& link = m_frame.links[centered.link];
            link.upperEnd = centered.upperEnd;
            link.lowerEnd = centered.lowerEnd;
            link.isStraight = false;
        }
    }

private:
    // A link that is positioned as if it ran from middle to middle, and its true end points.
    struct Centered {
        int link;
        int upperEnd;
        int lowerEnd;
    };

    // Centers open groups below each other, wherever their ports are, if a straight link between
    // the ports would make a staircase of them.
    void centerWide()
    {
        constexpr float mostExtra = 120; // width that a straight link may cost
        for (std::size_t l = 0; l < m_frame.links.size(); ++l) {
            Link& link = m_frame.links[l];
            if (m_frame.layers.isDummy(link.upper) || m_frame.layers.isDummy(link.lower))
                continue;
            const Room& upper = m_frame.rooms[link.upper];
            const Room& lower = m_frame.rooms[link.lower];
            const auto off = float(link.upperEnd - link.lowerEnd);
            const float both =
                std::max(upper.right, off + lower.right) + std::max(upper.left, lower.left - off);
            const float widest = std::max(upper.left + upper.right, lower.left + lower.right);
            if (both - widest < std::max(mostExtra, widest / 5))
                continue;
            m_centered.push_back({int(l), link.upperEnd, link.lowerEnd});
            link.upperEnd = 0;
            link.lowerEnd = 0;
        }
    }

    static int weightOf(const PartFrame& frame, const Link& link)
    {
        const int dummies =
            int(frame.layers.isDummy(link.upper)) + int(frame.layers.isDummy(link.lower));
        return dummies == 2 ? 8 : dummies == 1 ? 2 : 1;
    }

    // Returns the number of boxes on the longest run of boxes in neighboring ranks through each
    // link.
    std::vector<int> runLengths() const
    {
        const Layers& layers = m_frame.layers;
        std::vector<int> byRank(m_frame.links.size());
        std::iota(byRank.begin(), byRank.end(), 0);
        std::ranges::stable_sort(byRank, {},
                                 [&](int l) { return layers.rank[m_frame.links[l].upper]; });
        std::vector<int> up(layers.rank.size(), 1);
        std::vector<int> down(layers.rank.size(), 1);
        const auto isRun = [&](const Link& l) {
            return !layers.isDummy(l.upper) && !layers.isDummy(l.lower);
        };
        for (const int l : byRank)
            if (const Link& link = m_frame.links[l]; isRun(link))
                up[link.lower] = std::max(up[link.lower], up[link.upper] + 1);
        for (auto l = byRank.rbegin(); l != byRank.rend(); ++l)
            if (const Link& link = m_frame.links[*l]; isRun(link))
                down[link.upper] = std::max(down[link.upper], down[link.lower] + 1);
        std::vector<int> runs;
        for (const Link& link : m_frame.links)
            runs.push_back(isRun(link) ? up[link.upper] + down[link.lower] : 0);
        return runs;
    }

    // Returns how far a link is from the middle of those at its two vertices.
    std::vector<int> offMiddle() const
    {
        std::vector<int> off(m_frame.links.size(), 0);
        const int count = int(off.size());
        const auto measure = [&](auto endOf, auto otherOf) {
            const Lists lists = Lists::make(
                m_frame.layers.size(), count, [&](int l) { return endOf(m_frame.links[l]); },
                [](int l) { return l; });
            std::vector<int> sorted;
            for (int v = 0; v < m_frame.layers.size(); ++v) {
                sorted.assign(lists.of(v).begin(), lists.of(v).end());
                std::ranges::sort(
                    sorted, {}, [&](int l) { return m_frame.position[otherOf(m_frame.links[l])]; });
                const int n = int(sorted.size());
                for (int i = 0; i < n; ++i)
                    off[sorted[i]] += std::abs(2 * i - (n - 1));
            }
        };
        measure([](const Link& l) { return l.upper; }, [](const Link& l) { return l.lower; });
        measure([](const Link& l) { return l.lower; }, [](const Link& l) { return l.upper; });
        return off;
    }

    void align()
    {
        const std::vector<int> runs = runLengths();
        const std::vector<int> off = offMiddle();
        std::vector<int> byWorth(m_frame.links.size());
        std::iota(byWorth.begin(), byWorth.end(), 0);
        const auto worth = [&](int l) {
            const int weight = weightOf(m_frame, m_frame.links[l]);
            return std::tuple(-(weight == 8 ? 2 : weight == 1 ? 1 : 0), -runs[l], off[l]);
        };
        std::ranges::stable_sort(byWorth, {}, worth);
        m_straight.resize(std::size_t(std::max(m_frame.layers.ranks(), 1)));
        m_upLink.assign(m_frame.rooms.size(), -1);
        m_downLink.assign(m_frame.rooms.size(), -1);
        for (const int l : byWorth)
            tryStraight(l);
    }

    void tryStraight(int l)
    {
        Link& link = m_frame.links[l];
        if (m_downLink[link.upper] >= 0 || m_upLink[link.lower] >= 0)
            return;
        auto& gap = m_straight[m_frame.layers.rank[link.upper]];
        const std::pair<int, int> at(m_frame.position[link.upper], m_frame.position[link.lower]);
        const auto next = std::ranges::lower_bound(gap, at);
        if (next != gap.end() && next->second < at.second)
            return;
        if (next != gap.begin() && std::prev(next)->second > at.second)
            return;
        gap.insert(next, at);
        m_downLink[link.upper] = l;
        m_upLink[link.lower] = l;
        link.isStraight = true;
        m_work.spend(2);
    }

    void makeBlocks()
    {
        m_block.assign(m_frame.rooms.size(), -1);
        m_shift.assign(m_frame.rooms.size(), 0);
        for (const int top : m_frame.layers.order) {
            if (m_upLink[top] >= 0)
                continue;
            m_block[top] = m_blocks;
            for (int v = top; m_downLink[v] >= 0;) {
                const Link& link = m_frame.links[m_downLink[v]];
                m_block[link.lower] = m_blocks;
                m_shift[link.lower] = m_shift[v] + link.upperEnd - link.lowerEnd;
                v = link.lower;
            }
            ++m_blocks;
        }
    }

    int distance(int a, int b) const
    {
        const Room& left = m_frame.rooms[a];
        const Room& right = m_frame.rooms[b];
        const bool lanes = m_frame.layers.isDummy(a) || m_frame.layers.isDummy(b);
        const float gap = lanes ? m_frame.spacing.laneGap : m_frame.spacing.vertexGap;
        return int(std::ceil(left.right + gap + right.left));
    }

    void makeDistances()
    {
        for (int r = 0; r < m_frame.layers.ranks(); ++r) {
            for (int i = m_frame.layers.rankStart[r]; i + 1 < m_frame.layers.rankStart[r + 1];
                 ++i) {
                const int a = m_frame.layers.order[i];
                const int b = m_frame.layers.order[i + 1];
                m_distances.push_back(
                    {m_block[a], m_block[b], distance(a, b) + m_shift[a] - m_shift[b], 0});
            }
        }
        std::ranges::sort(m_distances, [](const SimplexEdge& a, const SimplexEdge& b) {
            return std::tuple(a.tail, a.head, -a.length) < std::tuple(b.tail, b.head, -b.length);
        });
        const auto same = [](const SimplexEdge& a, const SimplexEdge& b) {
            return a.tail == b.tail && a.head == b.head;
        };
        m_distances.erase(std::unique(m_distances.begin(), m_distances.end(), same),
                          m_distances.end());
        const int count = int(m_distances.size());
        const auto at = [](int i) { return i; };
        m_rightOf = Lists::make(
            m_blocks, count, [&](int i) { return m_distances[i].tail; }, at);
        m_leftOf = Lists::make(
            m_blocks, count, [&](int i) { return m_distances[i].head; }, at);
        sortBlocks();
        makeTargets();
    }

    // Sorts blocks from left to right: straight links do not cross, so there is such an order.
    void sortBlocks()
    {
        std::vector<int> open(static_cast<std::size_t>(m_blocks));
        for (const SimplexEdge& d : m_distances)
            ++open[d.head];
        for (int b = 0; b < m_blocks; ++b)
            if (open[b] == 0)
                m_sorted.push_back(b);
        for (std::size_t i = 0; i < m_sorted.size(); ++i)
            for (const int d : m_rightOf.of(m_sorted[i]))
                if (--open[m_distances[d].head] == 0)
                    m_sorted.push_back(m_distances[d].head);
        m_work.spend(m_blocks + int(m_distances.size()));
    }

    void compactLeft()
    {
        m_at.assign(std::size_t(m_blocks), 0);
        for (const int b : m_sorted)
            for (const int d : m_rightOf.of(b)) {
                const SimplexEdge& edge = m_distances[d];
                m_at[edge.head] = std::max(m_at[edge.head], m_at[b] + edge.length);
            }
    }

    // Collects for each block the links that are not straight.
    void makeTargets()
    {
        for (const Link& link : m_frame.links)
            if (!link.isStraight && m_block[link.upper] != m_block[link.lower])
                m_bent.push_back(&link);
        const int count = int(m_bent.size());
        m_targets = Lists::make(
            m_blocks, 2 * count,
            [&](int i) {
                return m_block[i % 2 == 0 ? m_bent[i / 2]->upper : m_bent[i / 2]->lower];
            },
            [](int i) { return i; });
    }

    // Returns the best position of block b: the weighted median of the positions that its bent
    // links need.
    int wish(int b)
    {
        m_wishes.clear();
        int all = 0;
        for (const int i : m_targets.of(b)) {
            const Link& link = *m_bent[i / 2];
            const int own = i % 2 == 0 ? m_shift[link.upper] + link.upperEnd
                                       : m_shift[link.lower] + link.lowerEnd;
            const int other = i % 2 == 0
                                  ? m_at[m_block[link.lower]] + m_shift[link.lower] + link.lowerEnd
                                  : m_at[m_block[link.upper]] + m_shift[link.upper] + link.upperEnd;
            const int weight = weightOf(m_frame, link);
            m_wishes.emplace_back(other - own, weight);
            all += weight;
        }
        if (m_wishes.empty())
            return m_at[b];
        std::ranges::sort(m_wishes);
        int sum = 0;
        for (const auto& [at, weight] : m_wishes) {
            sum += weight;
            if (2 * sum >= all)
                return at;
        }
        return m_wishes.back().first;
    }

    // Moves blocks one by one towards their best position, as far as their neighbors allow.
    void pull(bool fromRight)
    {
        const auto move = [&](int b) {
            int low = std::numeric_limits<int>::min() / 2;
            int high = std::numeric_limits<int>::max() / 2;
            for (const int d : m_leftOf.of(b))
                low = std::max(low, m_at[m_distances[d].tail] + m_distances[d].length);
            for (const int d : m_rightOf.of(b))
                high = std::min(high, m_at[m_distances[d].head] - m_distances[d].length);
            m_at[b] = std::max(low, std::min(high, wish(b)));
            m_work.spend(4 + m_targets.count(b) * 4);
        };
        if (fromRight)
            std::for_each(m_sorted.rbegin(), m_sorted.rend(), move);
        else
            std::for_each(m_sorted.begin(), m_sorted.end(), move);
    }

    // Adds the cost |x(upper end) - x(lower end)| of a bent link, with a helper vertex to the left
    // of both.
    void simplex()
    {
        std::vector<SimplexEdge> edges = m_distances;
        std::vector<int> at = m_at;
        for (const Link* link : m_bent) {
            const int helper = int(at.size());
            const int weight = weightOf(m_frame, *link);
            int least = std::numeric_limits<int>::max();
            for (const bool upper : {true, false}) {
                const int v = upper ? link->upper : link->lower;
                const int own = m_shift[v] + (upper ? link->upperEnd : link->lowerEnd);
                edges.push_back({helper, m_block[v], -own, weight});
                least = std::min(least, m_at[m_block[v]] + own);
            }
            at.push_back(least);
        }
        networkSimplex(edges, at, m_work);
        std::copy_n(at.begin(), m_blocks, m_at.begin());
    }

    void finish()
    {
        for (std::size_t v = 0; v < m_frame.x.size(); ++v)
            m_frame.x[v] = m_at[m_block[v]] + m_shift[v];
    }

    PartFrame& m_frame;
    Work& m_work;
    std::vector<Centered> m_centered;
    std::vector<std::vector<std::pair<int, int>>> m_straight; // per gap: positions
    std::vector<int> m_upLink; // the straight link up from a vertex, or -1
    std::vector<int> m_downLink;
    std::vector<int> m_block;
    std::vector<int> m_shift; // offset of a vertex's axis from its block's x
    std::vector<SimplexEdge> m_distances;
    Lists m_rightOf;
    Lists m_leftOf;
    std::vector<int> m_sorted;
    std::vector<const Link*> m_bent;
    Lists m_targets;
    std::vector<std::pair<int, int>> m_wishes;
    std::vector<int> m_at;
    int m_blocks = 0;
};

} // namespace

void findAcross(PartFrame& frame, Work& work)
{
    Blocks(frame, work).run();
}

} // namespace lapidary::layered
