// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/paint/scene_painter.h"

#include "views/canvas/camera/camera.h"
#include "views/canvas/paint/box_marks.h"
#include "views/canvas/paint/box_painter.h"
#include "views/canvas/paint/difference_marks.h"
#include "views/canvas/paint/edge_painter.h"
#include "views/canvas/paint/far_colors.h"
#include "views/canvas/paint/far_raster.h"
#include "views/canvas/paint/far_titles.h"
#include "views/layout/faces.h"
#include "views/theme/color.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

constexpr std::size_t manyBoxes = 4'000; // visible boxes from which on pixels are written directly
constexpr std::size_t manySmall = 1'200; // the same for boxes lower than smallOnScreen
constexpr double smallOnScreen = 9;
// Visible boxes from which on lines are written directly.
constexpr std::size_t manyForPainter = 250;
constexpr double smoothFrom = 0.8; // zoom from which on everything is painted
constexpr double opHeight = 36;
constexpr float pictureMargin = 24; // shadows, cards and arrows extend beyond their box

bool isEdgeDimmed(const PaintContext& c, const SceneEdge& edge)
{
    if (!c.state.lit)
        return false;
    const auto isDimmed = [&](std::int32_t box) {
        return box >= 0 && c.isDimmed(c.scene.boxes[std::size_t(box)]);
    };
    return isDimmed(edge.from) || isDimmed(edge.to);
}

Rect grown(Rect r, float by)
{
    return {r.x - by, r.y - by, r.w + 2 * by, r.h + 2 * by};
}

} // namespace

struct ScenePainter::FarColors : FarColorTable {
    using FarColorTable::FarColorTable;
};

ScenePainter::ScenePainter()
{
    setScene(std::make_shared<const Scene>());
}

ScenePainter::~ScenePainter() = default;

void ScenePainter::setScene(ScenePtr scene, SceneIndexPtr index)
{
    m_scene = std::move(scene);
    m_index = index ? std::move(index) : indexOf(m_scene);
    m_far.reset();
    m_extraBoxes.clear();
    for (std::uint32_t i = 0; i < m_scene->boxes.size(); ++i)
        if (m_scene->boxes[i].kind == BoxKind::Chip || m_scene->boxes[i].kind == BoxKind::Stub)
            m_extraBoxes.emplace(m_scene->boxes[i].item, i);
    m_entries.clear();
    for (const SceneEdge& edge : m_scene->edges) {
        if (edge.pointCount == 0 || edge.from < 0)
            continue;
        const SceneBox& box = m_scene->boxes[std::size_t(edge.from)];
        const Point& start = m_scene->points[edge.firstPoint];
        // Other edges begin at the border where they leave the group.
        if (box.kind == BoxKind::OpenGroup && start.y < box.rect.center().y)
            m_entries[std::uint32_t(edge.from)].push_back(start.x);
    }
    m_edgesOwner[0] = m_edgesOwner[1] = {};
}

PaintContext ScenePainter::contextOf(QPainter& painter, const PictureRequest& request)
{
    const bool isMoved = request.moved && request.moved->rects.size() == m_scene->boxes.size() &&
                         request.moved->points.size() == m_scene->points.size();
    return {.painter = painter,
            .theme = request.theme,
            .state = request.state,
            .scene = *m_scene,
            .rects = isMoved ? std::span<const Rect>(request.moved->rects) : m_index->boxRects(),
            .points = isMoved ? std::span<const Point>(request.moved->points)
                              : std::span<const Point>(m_scene->points),
            .texts = m_texts,
            .origin = request.origin,
            .size = request.size,
            .inView =
                request.inView.isEmpty() ? QRectF(QPointF(0, 0), request.size) : request.inView,
            .scale = request.scale,
            .pixelRatio = request.pixelRatio,
            .isMap = request.isMap};
}

ScenePainter::Visible ScenePainter::visibleIn(const PictureRequest& request) const
{
    const Rect area = grown(request.area(), pictureMargin);
    if (!request.moved)
        return {m_index->boxesIn(area), m_index->edgesIn(area)};
    Visible visible;
    for (std::uint32_t i = 0; i < request.moved->rects.size(); ++i)
        if (area.intersects(request.moved->rects[i]))
            visible.boxes.push_back(i);
    for (std::uint32_t i = 0; i < m_scene->edges.size(); ++i)
        visible.edges.push_back(i);
    return visible;
}

void ScenePainter::paint(QPainter& painter, const PictureRequest& request)
{
    painter.save();
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.fillRect(QRectF(QPointF(0, 0), request.size), request.theme[Role::Canvas]);
    paintVisible(contextOf(painter, request), visibleIn(request));
    painter.restore();
}

void ScenePainter::paint(QImage& image, const PictureRequest& request)
{
    const Visible visible = visibleIn(request);
    const bool isSmall = opHeight * request.scale < smallOnScreen;
    const std::size_t count = std::max(visible.boxes.size(), visible.edges.size());
    if (count >= (isSmall ? manySmall : manyBoxes)) {
        image.fill(request.theme[Role::Canvas]);
        rasterize(image, request, visible);
        if (request.isMap)
            return;
        QPainter painter(&image);
        painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
        paintFarTitles(contextOf(painter, request), visible);
    } else if (count >= manyForPainter && request.scale < smoothFrom) {
        paintMixed(image, request, visible);
    } else {
        QPainter painter(&image);
        paint(painter, request);
    }
}

// Edges, and boxes without text, are written as pixels; everything else is painted.
void ScenePainter::paintMixed(QImage& image, const PictureRequest& request, const Visible& visible)
{
    const bool isPlain = textOpacity(TextRole::Name, request.scale) <= 0;
    image.fill(request.theme[Role::Canvas]);
    const auto painted = [&](const auto& work) {
        QPainter painter(&image);
        painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
        work(contextOf(painter, request));
    };
    painted([&](const PaintContext& c) {
        paintFaces(c, visible, true);
        for (const std::uint32_t i : visible.boxes)
            paintCards(c, i);
    });
    rasterizeEdges(image, request, visible);
    if (isPlain)
        rasterizeBoxes(image, request, visible, false);
    else
        rasterizeShapes(image, request, visible);
    painted([&](const PaintContext& context) {
        PaintContext c = context;
        c.areShapesDone = true;
        if (!isPlain)
            paintFaces(c, visible, false);
        paintTexts(c, visible);
    });
}

void ScenePainter::paintFaces(const PaintContext& c, const Visible& visible, bool frames)
{
    for (const std::uint32_t i : visible.boxes) {
        const SceneBox& box = c.scene.boxes[i];
        if ((box.kind == BoxKind::OpenGroup) != frames)
            continue;
        c.painter.setOpacity(c.isDimmed(box) && !frames ? dimmedOpacity : 1.0);
        paintBox(c, i);
    }
    c.painter.setOpacity(1.0);
}

void ScenePainter::paintTexts(const PaintContext& c, const Visible& visible)
{
    for (const std::uint32_t i : visible.edges)
        if (!isEdgeDimmed(c, c.scene.edges[i]))
            paintEdgeLabel(c, c.scene.edges[i]);
    for (const std::uint32_t i : visible.boxes)
        if (c.scene.boxes[i].kind == BoxKind::OpenGroup) {
            const auto entries = m_entries.find(i);
            paintOpenHeader(c, i,
                            entries == m_entries.end() ? std::span<const float>()
                                                       : std::span<const float>(entries->second));
        }
    paintFarTitles(c, visible);
}

void ScenePainter::paintVisible(const PaintContext& c, const Visible& visible)
{
    paintFaces(c, visible, true);
    for (const std::uint32_t i : visible.boxes)
        paintCards(c, i);
    paintEdges(c, visible);
    paintFaces(c, visible, false);
    paintTexts(c, visible);
}

void ScenePainter::paintEdges(const PaintContext& c, const Visible& visible)
{
    for (const std::uint32_t i : visible.edges) {
        const SceneEdge& edge = c.scene.edges[i];
        c.painter.setOpacity(isEdgeDimmed(c, edge) ? dimmedOpacity : 1.0);
        paintEdge(c, edge, edgeColor(c, edge));
    }
    c.painter.setOpacity(1.0);
}

void ScenePainter::paintFarTitles(const PaintContext& c, const Visible& visible)
{
    if (textOpacity(TextRole::Heading, c.scale) <= 0 && !c.isMap)
        lapidary::paintFarTitles(c, visible.boxes, *m_index, 1);
}

const ScenePainter::FarColors& ScenePainter::farColors(const PictureRequest& request)
{
    if (!m_far || !m_far->isFor(request.theme, request.state))
        m_far = std::make_unique<FarColors>(*m_scene, request.theme, request.state);
    return *m_far;
}

void ScenePainter::rasterizeBoxes(QImage& image, const PictureRequest& request,
                                  const Visible& visible, bool frames)
{
    const FarColors& colors = farColors(request);
    FarRaster raster(image);
    const double scale = request.scale * request.pixelRatio;
    const auto rects =
        request.moved ? std::span<const Rect>(request.moved->rects) : m_index->boxRects();
    const double bar = 4 * scale;
    for (const std::uint32_t i : visible.boxes) {
        if (bool(colors.isFrame[i]) != frames)
            continue;
        const Rect& r = rects[i];
        const double left = (r.x - request.origin.x()) * scale;
        const double top = (r.y - request.origin.y()) * scale;
        const double right = left + r.w * scale;
        const double bottom = top + r.h * scale;
        const bool isSpeck = r.h * scale < 3;
        raster.fill(left, top, right, bottom, isSpeck ? colors.outline[i] : colors.fill[i]);
        if (isSpeck)
            continue;
        raster.frame(left, top, right, bottom, colors.outline[i]);
        if (bar >= 1 && colors.hasBar[i])
            raster.fill(left, top, left + bar, bottom, colors.bar[i]);
    }
}

// Draws plain shapes at a zoom at which their texts are readable.
void ScenePainter::rasterizeShapes(QImage& image, const PictureRequest& request,
                                   const Visible& visible)
{
    const FarColors& colors = farColors(request);
    FarRaster raster(image);
    QPainter none;
    const PaintContext c = contextOf(none, request);
    const double ratio = request.pixelRatio;
    for (const std::uint32_t i : visible.boxes) {
        if (!colors.isPlain[i])
            continue;
        const QRectF shape = c.crisp(c.rects[i]);
        const double left = shape.left() * ratio;
        const double top = shape.top() * ratio;
        const double right = shape.right() * ratio;
        const double bottom = shape.bottom() * ratio;
        raster.roundedBox(left, top, right, bottom, colors.fill[i], colors.outline[i]);
        if (colors.isBold[i])
            raster.frame(left + 1, top + 1, right - 1, bottom - 1, colors.outline[i]);
        raster.fill(left, top + 1, left + 4 * c.scale * ratio, bottom - 1, colors.bar[i]);
    }
}

void ScenePainter::rasterize(QImage& image, const PictureRequest& request, const Visible& visible)
{
    rasterizeBoxes(image, request, visible, true);
    const FarColors& colors = farColors(request);
    FarRaster raster(image);
    const double scale = request.scale * request.pixelRatio;
    const auto points = request.moved ? std::span<const Point>(request.moved->points)
                                      : std::span<const Point>(m_scene->points);
    const double ox = request.origin.x();
    const double oy = request.origin.y();
    for (const std::uint32_t i : visible.edges) {
        const FarEdge& edge = colors.edges[i];
        for (std::uint32_t k = edge.firstPoint + 1; k < edge.endPoint; ++k)
            raster.line((points[k - 1].x - ox) * scale, (points[k - 1].y - oy) * scale,
                        (points[k].x - ox) * scale, (points[k].y - oy) * scale, edge.color);
    }
    rasterizeBoxes(image, request, visible, false);
}

void ScenePainter::rasterizeEdges(QImage& image, const PictureRequest& request,
                                  const Visible& visible)
{
    QPainter none; // a context without a painter: only used for positions and colors
    const PaintContext c = contextOf(none, request);
    FarRaster raster(image);
    const double ratio = request.pixelRatio;
    for (const std::uint32_t i : visible.edges) {
        const SceneEdge& edge = m_scene->edges[i];
        const QColor line = edgeColor(c, edge);
        const QColor color =
            isEdgeDimmed(c, edge) ? mixed(request.theme[Role::Canvas], line, dimmedOpacity) : line;
        const EdgeShape shape = edgeShape(c, edge, 0);
        const double dash = edge.kind == EdgeKind::Control ? std::max(2.0, 4 * c.scale * ratio) : 0;
        for (std::size_t k = 1; k < shape.points.size(); ++k)
            raster.smoothLine(shape.points[k - 1] * ratio, shape.points[k] * ratio,
                              shape.width * ratio, color.rgb(), dash);
        if (shape.arrow > 0)
            raster.arrow(shape.tip * ratio, shape.direction, shape.arrow * ratio, color.rgb());
    }
}

std::vector<std::uint32_t> ScenePainter::boxesOf(ItemId item) const
{
    std::vector<std::uint32_t> boxes;
    if (!item.isValid())
        return boxes;
    if (const auto own = m_scene->boxOf.find(item); own != m_scene->boxOf.end())
        boxes.push_back(own->second);
    const auto [first, last] = m_extraBoxes.equal_range(item);
    for (auto i = first; i != last; ++i)
        boxes.push_back(i->second);
    return boxes;
}

const std::vector<std::uint32_t>& ScenePainter::edgesOfItem(ItemId item)
{
    for (int i = 0; i < 2; ++i)
        if (m_edgesOwner[i] == item && item.isValid())
            return m_edgesFound[i];
    const int slot = m_edgesNext;
    m_edgesNext = 1 - m_edgesNext;
    m_edgesOwner[slot] = item;
    m_edgesFound[slot] = edgesOf(*m_scene, boxesOf(item));
    return m_edgesFound[slot];
}

void ScenePainter::paintAccentEdges(const PaintContext& c, ItemId item, const QColor& color)
{
    if (!item.isValid())
        return;
    const Rect area{float(c.origin.x()), float(c.origin.y()),
                    float(c.painter.window().width() / c.scale),
                    float(c.painter.window().height() / c.scale)};
    for (const std::uint32_t i : edgesOfItem(item))
        if (grown(m_index->edgeBounds()[i], 8).intersects(area))
            paintEdge(c, c.scene.edges[i], color, 0.5);
}

void ScenePainter::paintRings(const PaintContext& c)
{
    const auto ring = [&](ItemId item, const QColor& color, double width, double gap) {
        for (const std::uint32_t i : boxesOf(item)) {
            c.painter.setPen(QPen(color, width));
            c.painter.setBrush(Qt::NoBrush);
            c.painter.drawPath(boxOutline(c, i, gap));
        }
    };
    for (const ItemId item : c.state.hits)
        ring(item, c.theme[Role::Hit], item == c.state.currentHit ? 3 : 2, 2);
    for (const ItemId item : c.state.chosen)
        ring(item, c.theme[Role::Accent], 1.5, 1);
    if (c.state.hovered != c.state.selected)
        ring(c.state.hovered, c.theme[Role::Accent], 1, 0);
    ring(c.state.selected, c.theme[Role::Accent], 2, 1);
    for (const auto& [item, marks] : c.state.marks)
        if (const auto at = c.scene.boxOf.find(item); at != c.scene.boxOf.end() && marks.any())
            paintItemMarks(c, c.crisp(c.rects[at->second]), marks);
}

void ScenePainter::paintStickyHeaders(const PaintContext& c, const PictureRequest& request)
{
    constexpr double height = stickyHeaderHeight;
    if (textOpacity(TextRole::Heading, c.scale) <= 0)
        return;
    double top = 0;
    for (const std::uint32_t i : m_index->boxesIn(request.area())) {
        const SceneBox& box = c.scene.boxes[i];
        const QRectF shape = c.toScreen(c.rects[i]);
        if (box.kind != BoxKind::OpenGroup || shape.top() >= top - groupHeader * c.scale / 2 ||
            shape.bottom() < top + height)
            continue;
        const double left = std::max(shape.left(), 0.0);
        const double right = std::min(shape.right(), request.size.width());
        if (right - left < 60)
            continue;
        paintStickyHeader(c, i, QRectF(left, top, right - left, height));
        top += height;
        if (top >= mostStickyHeaders(request.size.height()) * height)
            break;
    }
}

void ScenePainter::paintOverlay(QPainter& painter, const PictureRequest& request,
                                bool stickyHeaders)
{
    painter.save();
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    const PaintContext c = contextOf(painter, request);
    const QColor& accent = request.theme[Role::Accent];
    paintAccentEdges(c, request.state.selected, accent);
    if (request.state.hovered != request.state.selected)
        paintAccentEdges(c, request.state.hovered, accent);
    if (request.state.differences)
        paintDifferences(c, *request.state.differences);
    paintRings(c);
    if (stickyHeaders && !request.moved)
        paintStickyHeaders(c, request);
    painter.restore();
}

} // namespace lapidary
