// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/part_frame.h"

#include <algorithm>

namespace lapidary::layered {
namespace {

class Router {
public:
    explicit Router(PartFrame& frame)
        : m_frame(frame)
    {
    }

    std::vector<Spot> chain(int c) const
    {
        std::vector<Spot> spots = m_frame.isReversed(c) ? againstFlow(c) : withFlow(c);
        return simplified(spots);
    }

private:
    const Link& link(int c, std::size_t i) const { return m_frame.links[m_frame.chainLinks[c][i]]; }
    float upperX(const Link& l) const { return float(m_frame.x[l.upper] + l.upperEnd); }
    float lowerX(const Link& l) const { return float(m_frame.x[l.lower] + l.lowerEnd); }
    float boxTop(int v) const { return m_frame.y[v] + m_frame.rooms[v].boxTop; }
    float boxBottom(int v) const { return boxTop(v) + m_frame.rooms[v].boxHeight; }
    float rankTop(int v) const { return m_frame.rankTop[m_frame.layers.rank[v]]; }
    float rankBottom(int v) const { return m_frame.rankBottom[m_frame.layers.rank[v]]; }

    // Adds the way between the two attachments: straight through every rank, with bends only
    // between ranks.
    void through(int c, std::vector<Spot>& spots) const
    {
        const auto count = m_frame.chainLinks[c].size();
        for (std::size_t i = 0; i < count; ++i) {
            const Link& l = link(c, i);
            spots.push_back({upperX(l), rankBottom(l.upper)});
            spots.push_back({lowerX(l), rankTop(l.lower)});
        }
    }

    std::vector<Spot> withFlow(int c) const
    {
        const Link& first = link(c, 0);
        const Link& last = link(c, m_frame.chainLinks[c].size() - 1);
        std::vector<Spot> spots{{upperX(first), boxBottom(first.upper)}};
        through(c, spots);
        spots.push_back({lowerX(last), boxTop(last.lower)});
        return spots;
    }

    // The route leaves through the lower box's bottom, runs around the box, up the lane, around the
    // upper box, and into its top. If the way around would cross other edges, it leaves through the
    // top and enters through the bottom.
    std::vector<Spot> againstFlow(int c) const
    {
        const Link& first = link(c, 0);
        const Link& last = link(c, m_frame.chainLinks[c].size() - 1);
        std::vector<Spot> spots = hook(first.upper, m_frame.upperHook[c], upperX(first), true);
        through(c, spots);
        const std::vector<Spot> end = hook(last.lower, m_frame.lowerHook[c], lowerX(last), false);
        spots.insert(spots.end(), end.rbegin(), end.rend());
        std::ranges::reverse(spots);
        return spots;
    }

    // Adds the line from the box's border to the edge of its extent, straight out if there is no
    // hook.
    std::vector<Spot> hook(int v, const Hook& way, float sideX, bool above) const
    {
        const float x = float(m_frame.x[v] + way.inner);
        if (way.side == Side::None)
            return {{sideX, above ? boxBottom(v) : boxTop(v)}};
        const float border = above ? boxTop(v) : boxBottom(v);
        const auto beyond = float(way.reach);
        const float reach =
            above ? m_frame.y[v] - beyond : m_frame.y[v] + m_frame.rooms[v].height + beyond;
        return {{x, border}, {x, reach}, {sideX, reach}};
    }

    static std::vector<Spot> simplified(const std::vector<Spot>& spots)
    {
        std::vector<Spot> kept;
        for (const Spot& s : spots) {
            if (!kept.empty() && kept.back() == s)
                continue;
            const auto n = kept.size();
            const bool goesOn = n >= 2 && kept[n - 2].x == kept[n - 1].x && kept[n - 1].x == s.x &&
                                (kept[n - 1].y - kept[n - 2].y) * (s.y - kept[n - 1].y) > 0;
            if (goesOn)
                kept.back() = s;
            else
                kept.push_back(s);
        }
        return kept;
    }

    PartFrame& m_frame;
};

} // namespace

void route(PartFrame& frame)
{
    const Router router(frame);
    for (int c = 0; c < int(frame.layers.chains.size()); ++c)
        frame.routes.push_back(router.chain(c));
    frame.left = std::numeric_limits<float>::max();
    frame.right = std::numeric_limits<float>::lowest();
    for (int v = 0; v < frame.layers.size(); ++v) {
        frame.left = std::min(frame.left, float(frame.x[v]) - frame.rooms[v].left);
        frame.right = std::max(frame.right, float(frame.x[v]) + frame.rooms[v].right);
    }
}

} // namespace lapidary::layered
