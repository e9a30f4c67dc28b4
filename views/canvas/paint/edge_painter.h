// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/paint/paint_context.h"

#include <vector>

namespace lapidary {

// Draws one edge with its arrow head in `color`; `extra` widens it on screen.
void paintEdge(const PaintContext& context, const SceneEdge& edge, const QColor& color,
               double extra = 0);
// Tells whether an edge leads a loop's value back, and is not only drawn against the flow because
// of the layout.
bool closesLoop(const Scene& scene, const SceneEdge& edge);
// Returns the edge's color in the plain picture.
QColor edgeColor(const PaintContext& context, const SceneEdge& edge);

// The edge as straight pieces on screen, for callers that write pixels.
struct EdgeShape {
    std::vector<QPointF> points;
    double width = 1;
    QPointF tip;
    QPointF direction;
    double arrow = 0; // length of the head; 0: no head
};
EdgeShape edgeShape(const PaintContext& context, const SceneEdge& edge, double extra);

void paintEdgeLabel(const PaintContext& context, const SceneEdge& edge);

// Returns every edge that starts or ends at an item of these boxes, with its pieces inside and
// outside of open groups, in ascending order. O(edges + links).
std::vector<std::uint32_t> edgesOf(const Scene& scene, std::span<const std::uint32_t> boxes);

} // namespace lapidary
