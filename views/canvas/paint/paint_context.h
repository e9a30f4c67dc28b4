// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/paint/picture_state.h"
#include "views/canvas/paint/text_cache.h"
#include "views/theme/theme.h"

#include <QPainter>
#include <QRectF>

#include <span>

namespace lapidary {

// The values that every part of the painter needs. Screen coordinates are (scene - origin) * scale.
struct PaintContext {
    QPainter& painter;
    const Theme& theme;
    const PictureState& state;
    const Scene& scene;
    // rectangles of the boxes as they are now (an animation moves them)
    std::span<const Rect> rects;
    std::span<const Point> points; // points of the routes
    TextCache& texts;
    QPointF origin;
    QSizeF size;   // the painted area, on screen
    QRectF inView; // the part of it that is in view
    double scale = 1;
    double pixelRatio = 1;      // device pixels per screen unit
    bool isMap = false;         // a minimap: no titles
    bool areShapesDone = false; // plain shapes are already drawn: draw only texts and marks

    QPointF toScreen(Point p) const
    {
        return {(p.x - origin.x()) * scale, (p.y - origin.y()) * scale};
    }
    QRectF toScreen(const Rect& r) const
    {
        return {toScreen(Point{r.x, r.y}), QSizeF(r.w * scale, r.h * scale)};
    }
    // Returns the same rectangle with its edges on the middle of device pixels, so that thin
    // outlines are crisp.
    QRectF crisp(const Rect& r) const;
    // Returns the width of a line that is `units` wide at 100 %: never thinner than a device pixel.
    double lineWidth(double units) const { return std::max(units * scale, 1.0 / pixelRatio); }
    std::span<const Point> route(const SceneEdge& edge) const
    {
        return points.subspan(edge.firstPoint, edge.pointCount);
    }
    bool isDimmed(const SceneBox& box) const { return state.lit && !state.lit->contains(box.item); }
};

inline constexpr double dimmedOpacity = 0.25;

} // namespace lapidary
