#pragma once

#include "views/canvas/paint_context.h"

#include <vector>

namespace lapidary {

// One edge with its arrow head in `colour`; `extra` widens it on screen.
void paintEdge(const PaintContext& context, const SceneEdge& edge, const QColor& colour,
               double extra = 0);
// Its colour in the plain picture.
QColor edgeColour(const PaintContext& context, const SceneEdge& edge);

// The same edge as straight pieces on screen, for who writes pixels.
struct EdgeShape {
    std::vector<QPointF> points;
    double width = 1;
    QPointF tip;
    QPointF direction;
    double arrow = 0; // length of the head, 0: none
};
EdgeShape edgeShape(const PaintContext& context, const SceneEdge& edge, double extra);

void paintEdgeLabel(const PaintContext& context, const SceneEdge& edge);

// Every edge that carries something from or to one of these boxes' items, also its pieces inside
// and outside of open groups. Ascending. O(edges + links).
std::vector<std::uint32_t> edgesOf(const Scene& scene, std::span<const std::uint32_t> boxes);

} // namespace lapidary
