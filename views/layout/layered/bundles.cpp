// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/part_frame.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace lapidary::layered {
namespace {

constexpr int leastRails = 3;  // on both sides of a chain
constexpr int leastBeside = 2; // on one side
constexpr int leastLength = 2; // ranks that a rail passes

// Joins the lines that lead to one vertex side by side into one line.
class Bundler {
public:
    explicit Bundler(PartFrame& frame)
        : m_frame(frame)
        , m_layers(frame.layers)
    {
    }

    void run()
    {
        std::map<int, std::vector<int>> railsTo; // by the vertex that they lead to
        for (int c = 0; c < int(m_layers.chains.size()); ++c)
            if (!m_frame.isReversed(c) && m_layers.chains[c].count >= leastLength + 2)
                railsTo[lower(c)].push_back(c);
        for (const auto& [vertex, rails] : railsTo)
            if (int(rails.size()) >= leastRails)
                joinSides(vertex, rails);
        if (m_isAnyMoved)
            bendLinks();
    }

private:
    using Rails = std::vector<int>;                      // chains
    using RankedLines = std::map<int, std::vector<int>>; // by rank: dummies, left to right

    int lower(int chain) const { return at(chain, m_layers.chains[chain].count - 1); }
    int at(int chain, int i) const { return m_layers.path[m_layers.chains[chain].first + i]; }

    // Joins rails that arrive side by side, with nothing between them.
    void joinSides(int vertex, Rails rails)
    {
        const auto last = [&](int c) {
            return m_frame.position[at(c, m_layers.chains[c].count - 2)];
        };
        std::ranges::sort(rails, {}, last);
        Rails side;
        for (const int c : rails) {
            if (!side.empty() && last(c) > last(side.back()) + 1) {
                join(vertex, side);
                side.clear();
            }
            side.push_back(c);
        }
        join(vertex, side);
    }

    // Returns the dummies of these chains; none if anything else is between them.
    std::optional<RankedLines> linesOf(const Rails& rails) const
    {
        RankedLines lines;
        for (const int c : rails)
            for (int i = 1; i + 1 < m_layers.chains[c].count; ++i)
                lines[m_layers.rank[at(c, i)]].push_back(at(c, i));
        for (auto& [rank, row] : lines) {
            std::ranges::sort(row, {}, [this](int v) { return m_frame.position[v]; });
            row.erase(std::unique(row.begin(), row.end()), row.end());
            if (m_frame.position[row.back()] - m_frame.position[row.front()] + 1 != int(row.size()))
                return {};
        }
        return lines;
    }

    // Tells whether the lines of a rank can all be at x.
    bool hasRoom(const std::vector<int>& row, int x) const
    {
        const int rank = m_layers.rank[row.front()];
        const int first = m_layers.rankStart[rank] + m_frame.position[row.front()];
        const int last = m_layers.rankStart[rank] + m_frame.position[row.back()];
        const float gap = m_frame.spacing.laneGap;
        if (first > m_layers.rankStart[rank]) {
            const int v = m_layers.order[first - 1];
            if (float(m_frame.x[v]) + m_frame.rooms[v].right + gap > float(x))
                return false;
        }
        if (last + 1 == m_layers.rankStart[rank + 1])
            return true;
        const int v = m_layers.order[last + 1];
        return float(x) + gap <= float(m_frame.x[v]) - m_frame.rooms[v].left;
    }

    // Joins rails at the position of the line nearest to the vertex, or else at the next one with
    // enough space.
    void join(int vertex, const Rails& rails)
    {
        if (int(rails.size()) < leastBeside)
            return;
        const std::optional<RankedLines> lines = linesOf(rails);
        if (!lines)
            return;
        std::vector<int> places;
        for (const int v : lines->rbegin()->second)
            places.push_back(m_frame.x[v]);
        std::ranges::stable_sort(places, {},
                                 [&](int x) { return std::abs(x - m_frame.x[vertex]); });
        for (const int x : places) {
            if (!std::ranges::all_of(*lines,
                                     [&](const auto& ranked) { return hasRoom(ranked.second, x); }))
                continue;
            for (const auto& [rank, row] : *lines)
                for (const int v : row)
                    m_frame.x[v] = x;
            m_isAnyMoved = true;
            return;
        }
    }

    void bendLinks()
    {
        for (Link& link : m_frame.links)
            link.isStraight = link.isStraight && m_frame.x[link.upper] + link.upperEnd ==
                                                     m_frame.x[link.lower] + link.lowerEnd;
    }

    PartFrame& m_frame;
    const Layers& m_layers;
    bool m_isAnyMoved = false;
};

} // namespace

void bundleRails(PartFrame& frame)
{
    Bundler(frame).run();
}

} // namespace lapidary::layered
