#include "views/canvas/edge_painter.h"

#include "views/canvas/edge_curve.h"
#include "views/theme/colour.h"

#include <QPainterPath>

#include <algorithm>
#include <unordered_set>

namespace lapidary {
namespace {

constexpr double smallestArrow = 2.2; // on screen

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
                    const QColor& colour)
{
    const QPointF tip = c.toScreen(Point{float(curve.tip.x()), float(curve.tip.y())});
    const QPointF back = -curve.direction * length;
    const QPointF side = QPointF(-curve.direction.y(), curve.direction.x()) * (length * 0.5);
    const QPolygonF head{tip, tip + back + side, tip + back - side};
    c.painter.setPen(Qt::NoPen);
    c.painter.setBrush(colour);
    c.painter.drawPolygon(head);
}

std::uint64_t keyOf(const GraphEdge& link)
{
    return (std::uint64_t(link.reader.value) << 32) | link.slot;
}

} // namespace

QColor edgeColour(const PaintContext& c, const SceneEdge& edge)
{
    return c.theme[edge.kind == EdgeKind::Control ? Role::ControlEdge : Role::Edge];
}

void paintEdge(const PaintContext& c, const SceneEdge& edge, const QColor& colour, double extra)
{
    const auto route = c.route(edge);
    if (route.size() < 2)
        return;
    const double width = c.lineWidth(edge.kind == EdgeKind::Control ? 1 : edge.width) + extra;
    const double length = (arrowLength(edge) + extra) * c.scale;
    const bool hasArrow = length >= smallestArrow && !endsAtFrame(c.scene, edge);
    const EdgeCurve curve =
        edgeCurve(route, leavesVertically(c.scene, edge), hasArrow ? length * 0.8 / c.scale : 0);
    QPen pen(colour, width);
    pen.setCapStyle(Qt::FlatCap);
    if (edge.kind == EdgeKind::Control && c.scale > 0.25)
        pen.setDashPattern({4 * c.scale / width, 3 * c.scale / width});
    c.painter.setPen(pen);
    c.painter.setBrush(Qt::NoBrush);
    const QTransform place(c.scale, 0, 0, c.scale, -c.origin.x() * c.scale,
                           -c.origin.y() * c.scale);
    c.painter.drawPath(place.map(curve.path));
    if (hasArrow)
        paintArrowHead(c, curve, length, colour);
}

void paintEdgeLabel(const PaintContext& c, const SceneEdge& edge)
{
    const double opacity = textOpacity(TextRole::EdgeLabel, c.scale);
    if (edge.label.empty() || edge.labelRect.w <= 0 || opacity <= 0)
        return;
    QColor colour = c.theme[Role::TextMuted];
    colour.setAlphaF(float(opacity));
    const QRectF place = c.toScreen(edge.labelRect);
    c.painter.setPen(colour);
    c.texts.draw(c.painter,
                 {edge.label, TextRole::EdgeLabel, TextCache::Align::Centre, place.center(),
                  place.width() + c.scale},
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
                links.insert(keyOf(link));
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < scene.edges.size(); ++i) {
        const auto carried = scene.carried(scene.edges[i]);
        if (touches(scene.edges[i]) || std::ranges::any_of(carried, [&](const GraphEdge& link) {
                return links.contains(keyOf(link));
            }))
            found.push_back(i);
    }
    return found;
}

} // namespace lapidary
