// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/graph_canvas.h"

#include "views/canvas/box_painter.h"
#include "views/canvas/canvas_accessible.h"
#include "views/canvas/minimap.h"
#include "views/theme/shown_text.h"

#include <QResizeEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {
namespace {

constexpr int motionMilliseconds = 160;
constexpr int sharpenMilliseconds = 40;
constexpr double revealMargin = 32;
constexpr int minimapGap = 12;
const QSize largestMinimap(200, 180);
// share of the scene in view from which the map would only hide boxes
constexpr double overviewShare = 0.8;

} // namespace

GraphCanvas::GraphCanvas(QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_theme(&lightTheme())
    , m_minimap(new Minimap(m_painter, viewport()))
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Graph"));
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    m_animation.setDuration(motionMilliseconds);
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_sharpen.setSingleShot(true);
    m_sharpen.setInterval(sharpenMilliseconds);
    connect(&m_animation, &QVariantAnimation::valueChanged, this,
            [this](const QVariant& share) { stepMotion(share.toDouble()); });
    connect(&m_animation, &QVariantAnimation::finished, this, &GraphCanvas::endMotion);
    connect(&m_sharpen, &QTimer::timeout, this, [this] {
        renewSheet();
        viewport()->update();
    });
    connect(m_minimap, &Minimap::placeAsked, this, [this](const QPointF& place) {
        const QPointF half = QPointF(viewSize().width(), viewSize().height()) / 2;
        moveCamera({place - half / m_camera.scale, m_camera.scale});
    });
    m_minimap->setPicture(m_state, *m_theme);
}

GraphCanvas::~GraphCanvas() = default;

// Scene and camera

void GraphCanvas::setScene(ScenePtr scene, bool animate, ItemId acted, SceneIndexPtr index)
{
    const bool moves = animate && !m_isStill && isVisible() && !this->scene()->boxes.empty();
    const ItemId anchor = anchorItem(acted);
    const Camera to = cameraFor(*scene, anchor, acted.isValid() && anchor == acted);
    std::unique_ptr<SceneMotion> motion;
    if (moves) {
        const auto rects = m_motion ? std::span<const Rect>(m_motion->geometry().rects)
                                    : m_painter.index().boxRects();
        motion = std::make_unique<SceneMotion>(*this->scene(), rects, scene);
    }
    m_painter.setScene(std::move(scene), std::move(index));
    m_motion = std::move(motion);
    if (m_state.hovered.isValid() && !this->scene()->boxOf.contains(m_state.hovered))
        m_state.hovered = {};
    invalidate();
    startMotion(to, moves);
    emit viewChanged();
}

void GraphCanvas::replaceScene(ScenePtr next, SceneIndexPtr index,
                               const std::function<ItemId(ItemId)>& counterpart)
{
    const Camera to = cameraForOther(*next, counterpart);
    m_animation.stop();
    m_motion.reset();
    PictureState fresh; // everything else refers to items that no longer exist
    fresh.selected = counterpart(m_state.selected);
    m_state = std::move(fresh);
    m_painter.setScene(std::move(next), std::move(index));
    invalidate();
    moveCamera(to);
}

Camera GraphCanvas::cameraForOther(const Scene& next,
                                   const std::function<ItemId(ItemId)>& counterpart) const
{
    const QPointF middle = m_camera.toScene(QPointF(viewSize().width(), viewSize().height()) / 2);
    Camera camera = m_camera;
    double least = 1e300;
    for (const SceneBox& box : scene()->boxes) {
        const Point c = box.rect.center();
        const double distance =
            box.item == m_state.selected ? -1 : std::hypot(c.x - middle.x(), c.y - middle.y());
        if (distance >= least || box.kind == BoxKind::Chip || box.kind == BoxKind::Stub)
            continue;
        const auto same = next.boxOf.find(counterpart(box.item));
        if (same == next.boxOf.end())
            continue;
        least = distance;
        const Rect& to = next.boxes[same->second].rect;
        camera.origin = m_camera.origin + QPointF(to.x - box.rect.x, to.y - box.rect.y);
    }
    const QRectF area = camera.sceneArea(viewSize());
    const Rect seen{float(area.x()), float(area.y()), float(area.width()), float(area.height())};
    return next.boxes.empty() || seen.intersects(next.bounds) ? camera
                                                              : firstView(next, viewSize());
}

void GraphCanvas::showFirstView()
{
    m_animation.stop();
    m_motion.reset();
    m_history.clear();
    moveCamera(firstView(*scene(), viewSize()));
    m_history.push(m_camera);
}

ItemId GraphCanvas::anchorItem(ItemId acted) const
{
    for (const ItemId item : {acted, m_state.selected})
        if (item.isValid() && scene()->boxOf.contains(item))
            return item;
    const QPointF middle = m_camera.toScene(QPointF(viewSize().width(), viewSize().height()) / 2);
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

// Returns the camera under which `anchor` keeps its position; the item that was acted on also comes
// into view.
Camera GraphCanvas::cameraFor(const Scene& next, ItemId anchor, bool wasActed) const
{
    const auto before = scene()->boxOf.find(anchor);
    const auto after = next.boxOf.find(anchor);
    if (before == scene()->boxOf.end() || after == next.boxOf.end())
        return m_camera;
    const Rect from =
        m_motion ? m_motion->geometry().rects[before->second] : scene()->boxes[before->second].rect;
    const Rect& to = next.boxes[after->second].rect;
    Camera camera = m_camera;
    camera.origin += QPointF(to.x - from.x, to.y - from.y);
    return wasActed ? revealing(camera, to, viewSize(), revealMargin) : camera;
}

void GraphCanvas::startMotion(const Camera& to, bool animate)
{
    m_animation.stop();
    if (!animate || m_isStill) {
        m_motion.reset();
        moveCamera(to);
        return;
    }
    m_from = m_camera;
    m_to = to;
    m_animation.start();
}

void GraphCanvas::stepMotion(double share)
{
    if (m_animation.state() != QAbstractAnimation::Running)
        return;
    if (m_motion)
        m_motion->moveTo(share);
    moveCamera(between(m_from, m_to, share));
}

void GraphCanvas::endMotion()
{
    m_motion.reset();
    moveCamera(m_to);
}

void GraphCanvas::moveCamera(const Camera& camera)
{
    m_camera = {camera.origin, usableScale(camera.scale)};
    updateMinimap();
    viewport()->update();
    emit viewChanged();
}

void GraphCanvas::setCamera(const Camera& camera, bool animate)
{
    if (camera == m_camera)
        return;
    m_history.push(m_camera);
    m_history.push(camera);
    startMotion(camera, animate && isVisible());
}

void GraphCanvas::fitAll()
{
    setCamera(fitted(scene()->bounds, viewSize(), 1.5), true);
}

void GraphCanvas::fitSelection()
{
    fitItem(m_state.selected);
}

void GraphCanvas::fitItem(ItemId item)
{
    const auto box = scene()->boxOf.find(item);
    if (box != scene()->boxOf.end())
        setCamera(fitted(scene()->boxes[box->second].rect, viewSize(), 1.5), true);
}

void GraphCanvas::reveal(ItemId item)
{
    const auto box = scene()->boxOf.find(item);
    if (box == scene()->boxOf.end())
        return;
    const Rect& rect = scene()->boxes[box->second].rect;
    const double readable = std::max(m_camera.scale, 0.6);
    Camera camera = m_camera;
    if (readable > m_camera.scale)
        camera =
            m_camera.zoomed(readable, m_camera.toView(QPointF(rect.center().x, rect.center().y)));
    setCamera(revealing(camera, rect, viewSize(), revealMargin), true);
}

void GraphCanvas::setZoom(double scale)
{
    const QPointF middle(viewSize().width() / 2, viewSize().height() / 2);
    setCamera(m_camera.zoomed(scale, middle), true);
}

void GraphCanvas::goBack()
{
    if (canGoBack())
        startMotion(m_history.back(m_camera), isVisible());
}

void GraphCanvas::goForward()
{
    if (canGoForward())
        startMotion(m_history.forward(m_camera), isVisible());
}

// State of the picture

void GraphCanvas::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_minimap->setPicture(m_state, theme);
    invalidate();
}

void GraphCanvas::setSelected(ItemId item)
{
    if (item == m_state.selected)
        return;
    m_state.selected = item;
    viewport()->update();
    announceSelection(*this);
    emit selectionChanged(item);
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

void GraphCanvas::setChosen(ItemSet items)
{
    if (m_state.chosen == items)
        return;
    m_state.chosen = std::move(items);
    viewport()->update();
    announceSelection(*this);
}

void GraphCanvas::setLit(ItemSetPtr items)
{
    m_state.lit = std::move(items);
    invalidate();
}

void GraphCanvas::setHits(ItemSet items, ItemId current)
{
    m_state.hits = std::move(items);
    m_state.currentHit = current;
    m_minimap->update();
    viewport()->update();
}

void GraphCanvas::setMarks(std::unordered_map<ItemId, ItemMarks> marks)
{
    m_state.marks = std::move(marks);
    viewport()->update();
}

void GraphCanvas::setDifferences(std::shared_ptr<const DifferenceMarks> marks)
{
    m_state.differences = std::move(marks);
    viewport()->update();
}

void GraphCanvas::followCamera(const Camera& camera)
{
    if (m_motion) {
        m_to = camera; // boxes are still moving: this is where they will be
        return;
    }
    m_animation.stop();
    if (m_camera != camera)
        moveCamera(camera);
}

void GraphCanvas::setColoring(ColoringPtr coloring)
{
    m_state.coloring = std::move(coloring);
    invalidate();
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
    return m_animation.state() != QAbstractAnimation::Running && !m_sharpen.isActive();
}

void GraphCanvas::updateMinimap()
{
    const QRectF area = m_camera.sceneArea(viewSize());
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

// Returns the place in a corner of the view where the map hides no box; the one it has, if that is
// still free; null if there is none.
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
    const QPointF from = m_camera.toScene(place.topLeft());
    const QPointF to = m_camera.toScene(place.bottomRight());
    const Rect area{float(from.x()), float(from.y()), float(to.x() - from.x()),
                    float(to.y() - from.y())};
    return std::ranges::all_of(index().boxesIn(area), [this](std::uint32_t box) {
        return scene()->boxes[box].kind == BoxKind::OpenGroup;
    });
}

void GraphCanvas::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    m_sheet.isValid = false;
    // A picture that was fitted stays fitted.
    const QSizeF before = event->oldSize();
    if (!before.isEmpty() && !m_motion && !scene()->boxes.empty()) {
        if (m_camera == fitted(scene()->bounds, before, 1.5))
            moveCamera(fitted(scene()->bounds, viewSize(), 1.5));
        else if (m_camera == firstView(*scene(), before))
            moveCamera(firstView(*scene(), viewSize()));
        else // the middle of the picture stays where it is, as when two graphs replace one
            moveCamera({m_camera.origin +
                            QPointF(before.width() - viewSize().width(), 0) / 2 / m_camera.scale,
                        m_camera.scale});
    }
    updateMinimap();
    emit viewChanged();
}

// The camera belongs to the canvas; the scroll area has no bars to scroll by.
void GraphCanvas::scrollContentsBy(int /*dx*/, int /*dy*/) {}

} // namespace lapidary
