// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scene.h"

#include <QPainterPath>

#include <span>

namespace lapidary {

Rect routeBounds(std::span<const Point> route);

// The line through a route's points. Where the route is monotone in one axis it is a monotone cubic
// in that axis (Fritsch and Carlson 1980): it passes every point, leaves and arrives straight, and
// never leaves the box between two neighboring points. Elsewhere (back edges) it is a polyline with
// rounded corners. `vertical`: whether to use the vertical axis if both are monotone.
struct EdgeCurve {
    QPainterPath path;
    QPointF tip;       // the route's last point
    QPointF direction; // unit vector in which the line arrives there
};
EdgeCurve edgeCurve(std::span<const Point> route, bool vertical, double shortenedBy);

// Tells whether an edge leaves its box through the top or bottom border.
bool leavesVertically(const Scene& scene, const SceneEdge& edge);

} // namespace lapidary
