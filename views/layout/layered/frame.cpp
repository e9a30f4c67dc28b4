// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/csr.h"
#include "views/layout/layered/part_frame.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace lapidary::layered {
namespace {

constexpr int hookGap = 10;  // between a box, or the edge around it, and the next such edge
constexpr int hookReach = 8; // beyond the upper or lower border, for each such edge

int fixedEnd(float end)
{
    return int(std::lround(end));
}

// Links of all chains; those of one lane are one link.
void makeLinks(PartFrame& frame, std::span<const Ends> ends)
{
    std::map<std::tuple<int, int, int>, int> laneLinks; // upper, lower, end: where lower is a dummy
    for (const Layers::Chain& chain : frame.layers.chains) {
        const Ends& own = ends[chain.edge];
        const bool reversed = frame.plan.reversed[chain.edge] != 0;
        const float upperEnd = reversed ? own.to : own.from;
        const float lowerEnd = reversed ? own.from : own.to;
        std::vector<int> mine;
        for (int i = chain.first; i + 1 < chain.first + chain.count; ++i) {
            Link link{frame.layers.path[i], frame.layers.path[i + 1]};
            if (i == chain.first && !std::isnan(upperEnd)) {
                link.upperEnd = fixedEnd(upperEnd);
                link.upperFixed = true;
            }
            const bool isLast = i + 2 == chain.first + chain.count;
            if (isLast && !std::isnan(lowerEnd)) {
                link.lowerEnd = fixedEnd(lowerEnd);
                link.lowerFixed = true;
            }
            const auto next = int(frame.links.size());
            int known = next;
            if (!isLast)
                known = laneLinks.try_emplace({link.upper, link.lower, link.upperEnd}, next)
                            .first->second;
            mine.push_back(known);
            if (known == next)
                frame.links.push_back(link);
        }
        frame.chainLinks.push_back(std::move(mine));
    }
}

// Returns the positions of the neighbors of each vertex above or below.
class Neighbors {
public:
    Neighbors(const PartFrame& frame, bool upwards)
        : m_frame(frame)
        , m_lists(Lists::make(
              frame.layers.size(), int(frame.links.size()),
              [&](int l) { return upwards ? frame.links[l].lower : frame.links[l].upper; },
              [&](int l) { return upwards ? frame.links[l].upper : frame.links[l].lower; }))
    {
    }

    // Returns on which side of v's other edges the one to `next` may run around the box; None if it
    // would cross an edge on either side and need not run around.
    Side side(int v, int next, bool must) const
    {
        int left = 0;
        int right = 0;
        for (const int other : m_lists.of(v)) {
            left += m_frame.position[other] < m_frame.position[next];
            right += m_frame.position[other] > m_frame.position[next];
        }
        if (left > 0 && right > 0 && !must)
            return Side::None;
        return left <= right ? Side::Left : Side::Right;
    }

private:
    const PartFrame& m_frame;
    Lists m_lists;
};

Hook makeHook(PartFrame& frame, int v, Side side, float fixed, std::vector<int>& beyond)
{
    Hook hook;
    hook.side = side;
    if (side == Side::None)
        return hook;
    constexpr float corner = 8;
    Room& room = frame.rooms[v];
    float& end = side == Side::Left ? room.left : room.right;
    end = std::ceil(end) + hookGap;
    beyond[v] += hookReach;
    hook.distance = int(end) - 2;
    const float inner = side == Side::Left ? corner - room.boxLeft : room.boxRight - corner;
    hook.inner = int(std::isnan(fixed) ? inner : std::round(fixed));
    hook.reach = beyond[v];
    return hook;
}

void makeHooks(PartFrame& frame, std::span<const Ends> ends)
{
    const Neighbors up(frame, true);
    const Neighbors down(frame, false);
    const auto count = int(frame.layers.chains.size());
    for (int c = 0; c < count; ++c) {
        if (!frame.isReversed(c))
            continue;
        Link& first = frame.links[frame.chainLinks[c].front()];
        Link& last = frame.links[frame.chainLinks[c].back()];
        const Ends& own = ends[frame.layers.chains[c].edge];
        // What goes round in a loop always leaves below and arrives above.
        const bool isLoop = frame.problem.edges[frame.layers.chains[c].edge].isBack;
        const Side above = down.side(first.upper, first.lower, first.upperFixed || isLoop);
        const Side below = up.side(last.lower, last.upper, last.lowerFixed || isLoop);
        frame.upperHook[c] = makeHook(frame, first.upper, above, own.to, frame.above);
        frame.lowerHook[c] = makeHook(frame, last.lower, below, own.from, frame.below);
        first.upperEnd = int(above) * frame.upperHook[c].distance;
        last.lowerEnd = int(below) * frame.lowerHook[c].distance;
        first.upperFixed = above != Side::None;
        last.lowerFixed = below != Side::None;
    }
}

} // namespace

PartFrame makeFrame(const Problem& problem, const Plan& plan, const Layers& layers,
                    std::span<const Room> rooms, std::span<const Ends> ends, const Spacing& spacing)
{
    PartFrame frame(problem, plan, layers, spacing);
    const auto size = std::size_t(layers.size());
    frame.rooms.resize(size);
    for (std::size_t v = 0; v < layers.vertices.size(); ++v)
        frame.rooms[v] = rooms[layers.vertices[v]];
    frame.position.resize(size);
    for (int r = 0; r < layers.ranks(); ++r)
        for (int i = layers.rankStart[r]; i < layers.rankStart[r + 1]; ++i)
            frame.position[layers.order[i]] = i - layers.rankStart[r];
    frame.above.resize(size);
    frame.below.resize(size);
    frame.upperHook.resize(layers.chains.size());
    frame.lowerHook.resize(layers.chains.size());
    frame.x.resize(size);
    frame.y.resize(size);
    makeLinks(frame, ends);
    makeHooks(frame, ends);
    return frame;
}

} // namespace lapidary::layered
