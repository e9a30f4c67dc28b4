// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/csr.h"
#include "views/layout/layered/part_frame.h"

#include <algorithm>

namespace lapidary::layered {
namespace {

constexpr float portStep = 16;
constexpr float cornerMargin = 8; // part of a box's border that is kept free

// Spreads the edge ends at the top of one vertex from left to right; a straight edge stays on the
// axis.
void spread(PartFrame& frame, const Room& room, std::span<const int> sorted)
{
    const int count = int(sorted.size());
    int straight = -1;
    for (int i = 0; i < count; ++i)
        if (frame.links[sorted[i]].isStraight)
            straight = i;
    const float left = std::max(0.0F, room.boxLeft - cornerMargin);
    const float right = std::max(0.0F, room.boxRight - cornerMargin);
    const float middle = straight >= 0 ? float(straight) : (count - 1) / 2.0F;
    const float after = float(count - 1) - middle;
    const float leftStep = middle > 0 ? std::min(portStep, left / middle) : 0;
    const float rightStep = after > 0 ? std::min(portStep, right / after) : 0;
    for (int i = 0; i < count; ++i) {
        const float off = float(i) - middle;
        frame.links[sorted[i]].lowerEnd = int(off * (off < 0 ? leftStep : rightStep));
    }
}

} // namespace

void spreadEnds(PartFrame& frame)
{
    const Layers& layers = frame.layers;
    const int count = int(frame.links.size());
    const Lists arriving = Lists::make(
        layers.size(), count, [&](int l) { return frame.links[l].lower; }, [](int l) { return l; });
    std::vector<int> sorted;
    for (int v = 0; v < layers.size(); ++v) {
        if (layers.isDummy(v))
            continue;
        sorted.clear();
        for (const int l : arriving.of(v))
            if (!frame.links[l].lowerFixed)
                sorted.push_back(l);
        if (sorted.size() < 2)
            continue;
        std::ranges::stable_sort(sorted, {}, [&](int l) {
            return std::pair(frame.position[frame.links[l].upper], frame.links[l].upperEnd);
        });
        spread(frame, frame.rooms[v], sorted);
    }
}

} // namespace lapidary::layered
