// SPDX-License-Identifier: Apache-2.0
#include "views/layout/layered/part_frame.h"

#include <algorithm>
#include <cmath>

namespace lapidary::layered {
namespace {

// Vertices up to this height are centered on a common line; taller ones are aligned with the rank's
// top, so that opening one does not move its neighbors.
constexpr float tallest = 120;

// Returns the height of each gap: links that run far across need more to stay legible.
std::vector<float> gapHeights(const PartFrame& frame)
{
    std::vector<float> widest(std::size_t(std::max(frame.layers.ranks(), 1)), 0);
    for (const Link& link : frame.links) {
        const int across =
            frame.x[link.upper] + link.upperEnd - frame.x[link.lower] - link.lowerEnd;
        float& gap = widest[frame.layers.rank[link.upper]];
        gap = std::max(gap, float(std::abs(across)));
    }
    for (float& gap : widest)
        gap = std::round(std::min(frame.spacing.widestGap, frame.spacing.rankGap + gap / 12));
    return widest;
}

float heightOf(const PartFrame& frame, int v)
{
    return frame.rooms[v].height + float(frame.above[v] + frame.below[v]);
}

} // namespace

void findRows(PartFrame& frame)
{
    const std::vector<float> gaps = gapHeights(frame);
    float top = 0;
    for (int r = 0; r < frame.layers.ranks(); ++r) {
        float common = 0;
        float height = 0;
        for (const int v : frame.row(r)) {
            const float own = heightOf(frame, v);
            height = std::max(height, own);
            common = own <= tallest ? std::max(common, own) : common;
        }
        for (const int v : frame.row(r)) {
            const float own = heightOf(frame, v);
            const float down = own <= tallest ? std::round((common - own) / 2) : 0;
            frame.y[v] = top + down + float(frame.above[v]);
        }
        frame.rankTop.push_back(top);
        frame.rankBottom.push_back(top + height);
        top += height + gaps[r];
    }
    frame.bottom = frame.rankBottom.empty() ? 0 : frame.rankBottom.back();
}

} // namespace lapidary::layered
