// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/part_frame.h"

#include <cmath>
#include <map>
#include <tuple>

namespace lapidary::layered {
namespace {

int fixedEnd(float end)
{
    return int(std::lround(end));
}

// Makes the links of all chains; chains of one lane share a link.
void makeLinks(PartFrame& frame, std::span<const Ends> ends)
{
    std::map<std::tuple<int, int, int>, int> laneLinks; // upper, lower, end if lower is a dummy
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
