// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/paint/edge_painter.h"

#include "views/canvas/paint/edge_curve.h"
#include "views/canvas/paint/visible_pieces.h"
#include "views/theme/color.h"

#include <QPainterPath>

#include <algorithm>
#include <unordered_set>

namespace lapidary {
namespace {

constexpr double smallestArrow = 2.2; // lengths on screen

bool endsAtFrame(const Scene& scene, const SceneEdge& edge)
{
    return edge.to >= 0 && std::size_t(edge.to) < scene.boxes.size() &&
           scene.boxes[std::size_t(edge.to)].kind == BoxKind::OpenGroup;
}

double arrowLength(const SceneEdge& edge)
{
    return 5 + edge.width;
}

void paintArrowHead(const PaintContext& c, const EdgeCurve& curve, double length,
                    const QColor& color)
{
    const QPointF tip = c.toScreen(Point{float(curve.tip.x()), float(curve.tip.y())});
    const QPointF back = -curve.direction * length;
    const QPointF side = QPointF(-curve.direction.y(), curve.direction.x()) * (length * 0.5);
    const QPolygonF head{tip, tip + back + side, tip + back - side};
    c.painter.setPen(Qt::NoPen);
    c.painter.setBrush(color);
    c.painter.drawPolygon(head);
}

// The line of an edge and the position and size of its head, in scene units.
struct Drawn {
    EdgeCurve curve;
    double width = 0;  // on screen
    double length = 0; // length of the head on screen; 0: no head
};

Drawn drawn(const PaintContext& c, const SceneEdge& edge, double extra)
{
    const double width = c.lineWidth(edge.kind == EdgeKind::Control ? 1 : edge.width) + extra;
    double length = (arrowLength(edge) + extra) * c.scale;
    if (length < smallestArrow || endsAtFrame(c.scene, edge))
        length = 0;
    return {edgeCurve(c.route(edge), leavesVertically(c.scene, edge), length * 0.8 / c.scale),
            width, length};
}

} // namespace

bool closesLoop(const Scene& scene, const SceneEdge& edge)
{
    const auto carriesOn = [&scene](std::int32_t box) {
        return box >= 0 && std::size_t(box) < scene.boxes.size() &&
               scene.boxes[std::size_t(box)].kind == BoxKind::Op &&
               scene.boxes[std::size_t(box)].family == OpFamily::Control;
    };
    return edge.isBack && edge.kind != EdgeKind::Control && carriesOn(edge.from) &&
           carriesOn(edge.to);
}

QColor edgeColor(const PaintContext& c, const SceneEdge& edge)
{
    if (closesLoop(c.scene, edge))
        return c.theme.family(OpFamily::Control).outline;
    return c.theme[edge.kind == EdgeKind::Control ? Role::ControlEdge : Role::Edge];
}

void paintEdge(const PaintContext& c, const SceneEdge& edge, const QColor& color, double extra)
{
    if (edge.pointCount < 2)
        return;
    const auto [curve, width, length] = drawn(c, edge, extra);
    const bool isDashed = edge.kind == EdgeKind::Control && c.scale > 0.25;
    QPen pen(color, width);
    pen.setCapStyle(Qt::FlatCap);
    if (isDashed)
        pen.setDashPattern({4 * c.scale / width, 3 * c.scale / width});
    c.painter.setPen(pen);
    c.painter.setBrush(Qt::NoBrush);
    // Half the width of a line outside of the area reaches into it.
    const double margin = width / c.scale;
    const QTransform place(c.scale, 0, 0, c.scale, -c.origin.x() * c.scale,
                           -c.origin.y() * c.scale);
    const QRectF area =
        QRectF(c.origin, c.size / c.scale).adjusted(-margin, -margin, margin, margin);
    c.painter.drawPath(place.map(visiblePieces(curve.path, area, isDashed)));
    if (length > 0)
        paintArrowHead(c, curve, length, color);
}

EdgeShape edgeShape(const PaintContext& c, const SceneEdge& edge, double extra)
{
    EdgeShape shape;
    if (edge.pointCount < 2)
        return shape;
    const Drawn line = drawn(c, edge, extra);
    shape.width = line.width;
    shape.arrow = line.length;
    shape.direction = line.curve.direction;
    const auto onScreen = [&c](QPointF p) { return (p - c.origin) * c.scale; };
    shape.tip = onScreen(line.curve.tip);
    const QPainterPath& path = line.curve.path;
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element& element = path.elementAt(i);
        if (element.type != QPainterPath::CurveToElement) {
            shape.points.push_back(onScreen(element));
            continue;
        }
        constexpr int pieces = 6;
        const QPointF p0 = shape.points.back();
        const QPointF p1 = onScreen(element);
        const QPointF p2 = onScreen(path.elementAt(i + 1));
        const QPointF p3 = onScreen(path.elementAt(i + 2));
        for (int k = 1; k <= pieces; ++k) {
            const double t = double(k) / pieces;
            const double u = 1 - t;
            shape.points.push_back(p0 * (u * u * u) + p1 * (3 * u * u * t) + p2 * (3 * u * t * t) +
                                   p3 * (t * t * t));
        }
        i += 2;
    }
    return shape;
}

void paintEdgeLabel(const PaintContext& c, const SceneEdge& edge)
{
    const TextRole role = edge.isInferred ? TextRole::InferredLabel : TextRole::EdgeLabel;
    const double opacity = textOpacity(role, c.scale);
    if (edge.label.empty() || edge.labelRect.w <= 0 || opacity <= 0)
        return;
    QColor color = c.theme[Role::TextMuted];
    color.setAlphaF(float(opacity));
    const QRectF place = c.toScreen(edge.labelRect);
    c.painter.setPen(color);
    c.texts.draw(
        c.painter,
        {edge.label, role, TextCache::Align::Center, place.center(), place.width() + c.scale},
        c.scale);
}

std::vector<std::uint32_t> edgesOf(const Scene& scene, std::span<const std::uint32_t> boxes)
{
    const std::unordered_set<std::uint32_t> wanted(boxes.begin(), boxes.end());
    std::unordered_set<std::uint64_t> links;
    const auto touches = [&](const SceneEdge& edge) {
        return wanted.contains(std::uint32_t(edge.from)) || wanted.contains(std::uint32_t(edge.to));
    };
    for (const SceneEdge& edge : scene.edges)
        if (touches(edge))
            for (const GraphEdge& link : scene.carried(edge))
                links.insert(link.key());
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < scene.edges.size(); ++i) {
        const auto carried = scene.carried(scene.edges[i]);
        if (touches(scene.edges[i]) || std::ranges::any_of(carried, [&](const GraphEdge& link) {
                return links.contains(link.key());
            }))
            found.push_back(i);
    }
    return found;
}

} // namespace lapidary
