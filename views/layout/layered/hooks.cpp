// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/csr.h"
#include "views/layout/layered/part_frame.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace lapidary::layered {
namespace {

constexpr int hookGap = 10;  // between a box, or the edge around it, and the next such edge
constexpr int hookReach = 8; // beyond the upper or lower border, for each edge

// The other edges at a vertex that a way around its left or right side crosses.
struct Crossed {
    int left = 0;
    int right = 0;

    bool onBothSides() const { return left > 0 && right > 0; }
    int on(Side side) const { return side == Side::Left ? left : side == Side::Right ? right : 0; }
};

// The positions of the neighbors of each vertex above or below.
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

    // Counts v's other edges that the one to `next` crosses on its way around each side.
    Crossed crossed(int v, int next) const
    {
        Crossed crossed;
        for (const int other : m_lists.of(v)) {
            crossed.left += m_frame.position[other] < m_frame.position[next];
            crossed.right += m_frame.position[other] > m_frame.position[next];
        }
        return crossed;
    }

private:
    const PartFrame& m_frame;
    Lists m_lists;
};

using LinkCounts = std::map<std::pair<int, int>, int>; // by upper and lower vertex

// Counts the edges with the flow between vertices of neighboring ranks.
LinkCounts straightLinks(const PartFrame& frame)
{
    LinkCounts straight;
    for (int c = 0; c < int(frame.layers.chains.size()); ++c) {
        const Link& link = frame.links[frame.chainLinks[c].front()];
        if (frame.chainLinks[c].size() == 1 && !frame.isReversed(c))
            ++straight[{link.upper, link.lower}];
    }
    return straight;
}

// One end of a chain against the flow.
struct TurnedEnd {
    Crossed crossed;
    bool mustTurn = false; // it must not attach at the side where it arrives

    Side nearest(Side side) const { return crossed.onBothSides() && !mustTurn ? Side::None : side; }
};

// The sides on which a chain against the flow runs around its two vertices.
struct Ways {
    Side above = Side::None;
    Side below = Side::None;
};

// Returns the ways that cross the fewest edges. On two different sides a chain also crosses those
// that run straight between its vertices.
Ways cheapest(const TurnedEnd& above, const TurnedEnd& below, int between)
{
    constexpr std::array<Ways, 4> choices{{{Side::Left, Side::Left},
                                           {Side::Right, Side::Right},
                                           {Side::Left, Side::Right},
                                           {Side::Right, Side::Left}}};
    Ways best;
    int least = std::numeric_limits<int>::max();
    for (const Ways& choice : choices) {
        const Ways ways{above.nearest(choice.above), below.nearest(choice.below)};
        const bool changesSide = int(ways.above) * int(ways.below) < 0;
        const int crossed = above.crossed.on(ways.above) + below.crossed.on(ways.below) +
                            (changesSide ? between : 0);
        if (crossed >= least)
            continue;
        least = crossed;
        best = ways;
    }
    return best;
}

// A chain against the flow.
struct Turned {
    int chain = 0;
    Ways ways;
};

std::vector<Turned> turnedChains(PartFrame& frame)
{
    const Neighbors up(frame, true);
    const Neighbors down(frame, false);
    const LinkCounts straight = straightLinks(frame);
    std::vector<Turned> turned;
    for (int c = 0; c < int(frame.layers.chains.size()); ++c) {
        if (!frame.isReversed(c))
            continue;
        Link& first = frame.firstLink(c);
        Link& last = frame.lastLink(c);
        // An edge around a loop always leaves below and arrives above.
        const bool isLoop = frame.problem.edges[frame.layers.chains[c].edge].isBack;
        const auto between = straight.find({first.upper, last.lower});
        const Ways ways =
            cheapest({down.crossed(first.upper, first.lower), first.upperFixed || isLoop},
                     {up.crossed(last.lower, last.upper), last.lowerFixed || isLoop},
                     between == straight.end() ? 0 : between->second);
        first.upperFixed = ways.above != Side::None;
        last.lowerFixed = ways.below != Side::None;
        turned.push_back({c, ways});
    }
    return turned;
}

// Leads the next edge around one side of a vertex, outside of those before it.
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

} // namespace

// Makes the hooks. Of the edges around one side of a vertex, the one whose next vertex is furthest
// to that side must be the outermost, or they would cross; of those between the same two vertices,
// the one that ends furthest to that side.
void makeHooks(PartFrame& frame, std::span<const Ends> ends)
{
    std::vector<Turned> turned = turnedChains(frame);
    std::ranges::stable_sort(turned, {}, [&](const Turned& t) {
        return int(t.ways.above) * frame.position[frame.firstLink(t.chain).lower];
    });
    for (const auto& [c, ways] : turned) {
        Link& first = frame.firstLink(c);
        const float fixed = ends[frame.layers.chains[c].edge].to;
        frame.upperHook[c] = makeHook(frame, first.upper, ways.above, fixed, frame.above);
        first.upperEnd = int(ways.above) * frame.upperHook[c].distance;
    }
    std::ranges::stable_sort(turned, {}, [&](const Turned& t) {
        const Link& last = frame.lastLink(t.chain);
        const auto side = int(t.ways.below);
        return std::pair(side * frame.position[last.upper], side * last.upperEnd);
    });
    for (const auto& [c, ways] : turned) {
        Link& last = frame.lastLink(c);
        const float fixed = ends[frame.layers.chains[c].edge].from;
        frame.lowerHook[c] = makeHook(frame, last.lower, ways.below, fixed, frame.below);
        last.lowerEnd = int(ways.below) * frame.lowerHook[c].distance;
    }
}

} // namespace lapidary::layered
