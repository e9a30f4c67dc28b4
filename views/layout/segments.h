// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scene.h"

#include <algorithm>

namespace lapidary {

inline Rect boundsOf(Point a, Point b)
{
    const float x = std::min(a.x, b.x);
    const float y = std::min(a.y, b.y);
    return {x, y, std::max(a.x, b.x) - x, std::max(a.y, b.y) - y};
}

// Tells whether the segment has a point strictly inside the rectangle.
inline bool cutsRect(Point a, Point b, const Rect& rect)
{
    float from = 0;
    float to = 1;
    const auto clip = [&](float start, float delta, float low, float high) {
        if (delta == 0)
            return start > low && start < high;
        const float t0 = (low - start) / delta;
        const float t1 = (high - start) / delta;
        from = std::max(from, std::min(t0, t1));
        to = std::min(to, std::max(t0, t1));
        return from < to;
    };
    return clip(a.x, b.x - a.x, rect.x, rect.right()) &&
           clip(a.y, b.y - a.y, rect.y, rect.bottom()) && from < to;
}

} // namespace lapidary
