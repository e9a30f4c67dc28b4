#include "views/layout/layered/part_frame.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace lapidary::layered {
namespace {

constexpr int hookGap = 10;  // between a box, or the edge round it, and the next such edge
constexpr int hookReach = 8; // beyond the upper or lower border, for each such edge

int fixedEnd(float end)
{
    return static_cast<int>(std::lround(end));
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
            const auto next = static_cast<int>(frame.links.size());
            if (!isLast) {
                const auto [at, isNew] =
                    laneLinks.try_emplace({link.upper, link.lower, link.upperEnd}, next);
                if (!isNew) {
                    mine.push_back(at->second);
                    continue;
                }
            }
            mine.push_back(next);
            frame.links.push_back(link);
        }
        frame.chainLinks.push_back(std::move(mine));
    }
}

// Mean position of the neighbours of each vertex above or below.
class Middles {
public:
    Middles(const PartFrame& frame, bool upwards)
        : m_frame(frame)
        , m_sum(frame.rooms.size())
        , m_count(frame.rooms.size())
    {
        for (const Link& link : frame.links) {
            const int own = upwards ? link.lower : link.upper;
            m_sum[own] += frame.position[upwards ? link.upper : link.lower];
            ++m_count[own];
        }
    }

    // Which way round its box v an edge against the flow goes that comes from `next`: to the side
    // where `next` lies among the others.
    Side side(int v, int next) const
    {
        const int position = m_frame.position[next];
        if (m_count[v] < 2)
            return Side::Left;
        const double others = double(m_sum[v] - position) / (m_count[v] - 1);
        return position < others ? Side::Left : Side::Right;
    }

private:
    const PartFrame& m_frame;
    std::vector<std::int64_t> m_sum;
    std::vector<int> m_count;
};

Hook makeHook(PartFrame& frame, int v, Side side, float fixed, std::vector<int>& beyond)
{
    constexpr float corner = 8;
    Room& room = frame.rooms[v];
    float& end = side == Side::Left ? room.left : room.right;
    end = std::ceil(end) + hookGap;
    beyond[v] += hookReach;
    Hook hook;
    hook.side = side;
    hook.distance = static_cast<int>(end) - 2;
    const float inner = side == Side::Left ? corner - room.boxLeft : room.boxRight - corner;
    hook.inner = static_cast<int>(std::isnan(fixed) ? inner : std::round(fixed));
    hook.reach = beyond[v];
    return hook;
}

void makeHooks(PartFrame& frame, std::span<const Ends> ends)
{
    const Middles up(frame, true);
    const Middles down(frame, false);
    const auto count = static_cast<int>(frame.layers.chains.size());
    for (int c = 0; c < count; ++c) {
        if (!frame.isReversed(c))
            continue;
        Link& first = frame.links[frame.chainLinks[c].front()];
        Link& last = frame.links[frame.chainLinks[c].back()];
        const Ends& own = ends[frame.layers.chains[c].edge];
        const Hook above =
            makeHook(frame, first.upper, down.side(first.upper, first.lower), own.to, frame.above);
        const Hook below =
            makeHook(frame, last.lower, up.side(last.lower, last.upper), own.from, frame.below);
        first.upperEnd = static_cast<int>(above.side) * above.distance;
        last.lowerEnd = static_cast<int>(below.side) * below.distance;
        first.upperFixed = true;
        last.lowerFixed = true;
        frame.upperHook[c] = above;
        frame.lowerHook[c] = below;
    }
}

} // namespace

PartFrame makeFrame(const Problem& problem, const Plan& plan, const Layers& layers,
                    std::span<const Room> rooms, std::span<const Ends> ends, const Spacing& spacing)
{
    PartFrame frame(problem, plan, layers, spacing);
    const auto size = static_cast<std::size_t>(layers.size());
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
