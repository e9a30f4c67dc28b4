// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/graph_canvas.h"

#include "views/canvas/camera/following.h"
#include "views/canvas/canvas_accessible.h"
#include "views/canvas/minimap.h"
#include "views/canvas/paint/box_painter.h"
#include "views/layout/faces.h"
#include "views/theme/shown_text.h"

#include <QResizeEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {
namespace {

constexpr int sharpenMilliseconds = 40;
constexpr double revealMargin = 32;
constexpr int minimapGap = 12;
const QSize largestMinimap(200, 180);
constexpr double headerText = 260; // maximum width of the name and summary of an open group
// share of the scene in view from which the map would only hide boxes
constexpr double overviewShare = 0.8;

// Returns the rectangle of an open group's header text in the view; it stays there while the top of
// the frame is out of view.
QRectF headerOf(const QRectF& frame, double scale)
{
    return {std::max(frame.left(), 0.0), std::max(frame.top(), 0.0),
            std::min(frame.width(), headerText * std::max(scale, 1.0)),
            groupHeader * std::max(scale, 1.0)};
}

} // namespace

GraphCanvas::GraphCanvas(QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_theme(&lightTheme())
    , m_camera(m_painter, *viewport())
    , m_minimap(new Minimap(m_painter, viewport()))
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Graph"));
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    m_sharpen.setSingleShot(true);
    m_sharpen.setInterval(sharpenMilliseconds);
    connectParts();
    m_minimap->setPicture(m_highlights.state(), *m_theme);
}

GraphCanvas::~GraphCanvas() = default;

void GraphCanvas::connectParts()
{
    connect(&m_sharpen, &QTimer::timeout, this, [this] {
        renewSheet();
        viewport()->update();
    });
    connect(m_minimap, &Minimap::placeAsked, this, [this](const QPointF& place) {
        const QPointF half = QPointF(viewSize().width(), viewSize().height()) / 2;
        m_camera.moveTo({place - half / m_camera.zoom(), m_camera.zoom()});
    });
    connect(&m_camera, &CanvasCamera::moved, this, [this] {
        updateMinimap();
        viewport()->update();
        emit viewChanged();
    });
    connect(&m_highlights, &CanvasHighlights::shownSelectionChanged, this,
            [this] { announceSelection(*this); });
    connect(&m_highlights, &CanvasHighlights::hitsChanged, m_minimap,
            qOverload<>(&QWidget::update));
    connect(&m_highlights, &CanvasHighlights::overlayChanged, viewport(),
            qOverload<>(&QWidget::update));
    connect(&m_highlights, &CanvasHighlights::colorsChanged, this, &GraphCanvas::invalidate);
}

// Scene and camera

void GraphCanvas::setScene(ScenePtr scene, bool animate, ItemId acted, SceneIndexPtr index)
{
    const bool moves =
        animate && !m_camera.isStill() && isVisible() && !this->scene()->boxes.empty();
    const ItemId anchor = anchorItem(acted);
    const Camera to = cameraFor(*scene, anchor, acted.isValid() && anchor == acted);
    std::unique_ptr<SceneMotion> motion;
    if (moves) {
        const MovedGeometry* moved = m_camera.movedBoxes();
        const auto rects =
            moved != nullptr ? std::span<const Rect>(moved->rects) : m_painter.index().boxRects();
        motion = std::make_unique<SceneMotion>(*this->scene(), rects, scene);
    }
    m_painter.setScene(std::move(scene), std::move(index));
    m_camera.setBoxMotion(std::move(motion));
    if (!this->scene()->boxOf.contains(m_highlights.state().hovered))
        m_highlights.setHovered({});
    invalidate();
    m_camera.glideTo(to, moves);
    emit viewChanged();
}

void GraphCanvas::replaceScene(ScenePtr next, SceneIndexPtr index,
                               const std::function<ItemId(ItemId)>& counterpart)
{
    const Camera to = cameraForOther(*next, counterpart);
    m_camera.stop();
    m_highlights.startOver(counterpart(m_highlights.state().selected));
    m_painter.setScene(std::move(next), std::move(index));
    invalidate();
    m_camera.moveTo(to);
}

Camera GraphCanvas::cameraForOther(const Scene& next,
                                   const std::function<ItemId(ItemId)>& counterpart) const
{
    const QPointF middle =
        m_camera.now().toScene(QPointF(viewSize().width(), viewSize().height()) / 2);
    Camera camera = m_camera.now();
    double least = 1e300;
    for (const SceneBox& box : scene()->boxes) {
        const Point c = box.rect.center();
        const double distance = box.item == m_highlights.state().selected
                                    ? -1
                                    : std::hypot(c.x - middle.x(), c.y - middle.y());
        if (distance >= least || box.kind == BoxKind::Chip || box.kind == BoxKind::Stub)
            continue;
        const auto same = next.boxOf.find(counterpart(box.item));
        if (same == next.boxOf.end())
            continue;
        least = distance;
        const Rect& to = next.boxes[same->second].rect;
        camera.origin = m_camera.now().origin + QPointF(to.x - box.rect.x, to.y - box.rect.y);
    }
    if (next.boxes.empty())
        return camera;
    // A graph that was in view as a whole stays so, at the same size if that is possible.
    if (m_camera.now().showsAll(scene()->bounds, viewSize())) {
        camera = within(camera, next.bounds, viewSize());
        return camera.showsAll(next.bounds, viewSize()) ? camera : firstView(next, viewSize());
    }
    const QRectF area = camera.sceneArea(viewSize());
    const Rect seen{float(area.x()), float(area.y()), float(area.width()), float(area.height())};
    return seen.intersects(next.bounds) ? camera : firstView(next, viewSize());
}

ItemId GraphCanvas::anchorItem(ItemId acted) const
{
    for (const ItemId item : {acted, m_highlights.state().selected})
        if (item.isValid() && scene()->boxOf.contains(item))
            return item;
    const QPointF middle =
        m_camera.now().toScene(QPointF(viewSize().width(), viewSize().height()) / 2);
    ItemId best;
    double least = 1e300;
    for (const SceneBox& box : scene()->boxes) {
        const Point c = box.rect.center();
        const double distance = std::hypot(c.x - middle.x(), c.y - middle.y());
        if (distance < least && box.kind != BoxKind::Chip && box.kind != BoxKind::Stub) {
            least = distance;
            best = box.item;
        }
    }
    return best;
}

// Tells whether a picture that became smaller would be so small in the view that its texts cannot
// be read.
bool GraphCanvas::isLost(const Scene& next, const Rect& before, double scale) const
{
    constexpr double readable = 0.7;
    constexpr double muchLarger = 1.6;
    const bool isSmaller = next.bounds.w * next.bounds.h < before.w * before.h;
    return isSmaller && scale < readable && !next.boxes.empty() &&
           firstView(next, viewSize()).scale > scale * muchLarger;
}

// Returns the camera under which `anchor` keeps its position. The item that was acted on also comes
// into view; of a scope that was opened, as much as can be read.
Camera GraphCanvas::cameraFor(const Scene& next, ItemId anchor, bool wasActed) const
{
    if (isLost(next, scene()->bounds, m_camera.now().scale))
        return firstView(next, viewSize());
    const auto before = scene()->boxOf.find(anchor);
    const auto after = next.boxOf.find(anchor);
    if (before == scene()->boxOf.end() || after == next.boxOf.end())
        return m_camera.now();
    const MovedGeometry* moved = m_camera.movedBoxes();
    const Rect from =
        moved != nullptr ? moved->rects[before->second] : scene()->boxes[before->second].rect;
    const Rect& to = next.boxes[after->second].rect;
    Camera camera = m_camera.now();
    camera.origin += QPointF(to.x - from.x, to.y - from.y);
    if (!wasActed)
        return camera;
    const bool isOpened = scene()->boxes[before->second].kind == BoxKind::Group &&
                          next.boxes[after->second].kind == BoxKind::OpenGroup;
    if (!isOpened)
        return revealing(camera, to, viewSize(), revealMargin);
    // Moves the frame back if it is cut at one side while the other side is empty.
    return within(following(camera, to, viewSize(), revealMargin), next.bounds, viewSize());
}

// State of the picture

void GraphCanvas::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_minimap->setPicture(m_highlights.state(), theme);
    invalidate();
}

QString GraphCanvas::describe(ItemId item) const
{
    if (m_describe)
        return m_describe(item);
    const auto at = scene()->boxOf.find(item);
    if (at == scene()->boxOf.end())
        return {};
    const SceneBox& box = scene()->boxes[at->second];
    QStringList parts{shownText(box.title)};
    if (!box.subtitle.empty())
        parts.append(shownText(box.subtitle));
    const auto out = std::ranges::find_if(scene()->edges, [&](const SceneEdge& edge) {
        return edge.from == std::int32_t(at->second) && !edge.label.empty();
    });
    if (out != scene()->edges.end())
        parts.append(shownText(out->label));
    return parts.join(QStringLiteral(", "));
}

void GraphCanvas::setEmptyText(const QString& text)
{
    if (m_emptyText == text)
        return;
    m_emptyText = text;
    setAccessibleDescription(text);
    viewport()->update();
}

bool GraphCanvas::isSettled() const
{
    return !m_camera.isMoving() && !m_sharpen.isActive();
}

void GraphCanvas::updateMinimap()
{
    const QRectF area = m_camera.now().sceneArea(viewSize());
    const Rect& all = scene()->bounds;
    const QRectF seen = area.intersected(QRectF(all.x, all.y, all.w, all.h));
    const bool isOverview = seen.width() * seen.height() >= overviewShare * all.w * all.h;
    const bool isShown =
        !isOverview && !scene()->boxes.empty() && viewport()->width() > 3 * largestMinimap.width();
    m_minimap->setVisible(isShown);
    if (!isShown)
        return;
    const QRect place = freeCorner(m_minimap->fittingSize(largestMinimap));
    m_minimap->setVisible(!place.isNull());
    if (place.isNull())
        return;
    m_minimap->setGeometry(place);
    m_minimap->setView(area);
}

// Returns a position in a corner of the view where the map covers no box and no header of an open
// group; the current one, if that is still free; null if there is none.
QRect GraphCanvas::freeCorner(const QSize& size) const
{
    const int right = viewport()->width() - size.width() - minimapGap;
    const int bottom = viewport()->height() - size.height() - minimapGap;
    std::array<QPoint, 5> corners{m_minimap->pos(), QPoint(right, bottom),
                                  QPoint(minimapGap, bottom), QPoint(right, minimapGap),
                                  QPoint(minimapGap, minimapGap)};
    if (std::find(corners.begin() + 1, corners.end(), corners[0]) == corners.end())
        corners[0] = corners[1];
    for (const QPoint& corner : corners)
        if (const QRect place(corner, size); isFree(place))
            return place;
    return {};
}

bool GraphCanvas::isFree(const QRect& place) const
{
    const QPointF from = m_camera.now().toScene(place.topLeft());
    const QPointF to = m_camera.now().toScene(place.bottomRight());
    const Rect area{float(from.x()), float(from.y()), float(to.x() - from.x()),
                    float(to.y() - from.y())};
    return std::ranges::none_of(index().boxesIn(area), [&](std::uint32_t box) {
        return scene()->boxes[box].kind != BoxKind::OpenGroup ||
               headerOf(m_camera.now().toView(scene()->boxes[box].rect), m_camera.zoom())
                   .intersects(QRectF(place));
    });
}

void GraphCanvas::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    m_sheet.isValid = false;
    const QSizeF before = event->oldSize();
    if (!before.isEmpty() && !scene()->boxes.empty())
        m_camera.redirect(resized(m_camera.goal(), before));
    updateMinimap();
    emit viewChanged();
}

// Returns the camera after a change of size. A fitted picture stays fitted; otherwise the middle
// stays in the middle, for instance when two graphs replace one.
Camera GraphCanvas::resized(const Camera& camera, QSizeF before) const
{
    const bool isFirst = camera == firstView(*scene(), before);
    const bool isWhole = camera == fitted(scene()->bounds, before, 1.5);
    // The first view may have shown everything; it need not in the new size.
    if (isFirst && (!isWhole || !m_camera.canGoBack()))
        return firstView(*scene(), viewSize());
    if (isWhole)
        return fitted(scene()->bounds, viewSize(), 1.5);
    const Camera moved{camera.origin +
                           QPointF(before.width() - viewSize().width(), 0) / 2 / camera.scale,
                       camera.scale};
    return m_camera.keepingInView(moved, m_highlights.state().selected, camera, before);
}

// The canvas moves by its camera; the scroll area has no scroll bars.
void GraphCanvas::scrollContentsBy(int /*dx*/, int /*dy*/) {}

} // namespace lapidary
