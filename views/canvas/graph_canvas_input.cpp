// SPDX-License-Identifier: Apache-2.0
// GraphCanvas: mouse, wheel and keys.
#include "views/canvas/graph_canvas.h"
#include "views/canvas/paint/box_painter.h"
#include "views/canvas/walk.h"
#include "views/layout/faces.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QInputDevice>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QWheelEvent>

#include <cmath>
#include <utility>

namespace lapidary {
namespace {

constexpr double wheelZoom = 1.2;  // for one notch
constexpr double wheelPixels = 90; // for one notch
constexpr double panShare = 0.2;   // share of the view, for one key press
constexpr double chevronRoom = 26; // scene units at the left of a header

bool zooms(const QWheelEvent& event, WheelAction action)
{
    const bool isControl = event.modifiers() & Qt::ControlModifier;
    if (event.deviceType() == QInputDevice::DeviceType::TouchPad)
        return isControl;
    const bool isSideways = event.modifiers() & Qt::ShiftModifier;
    return action == WheelAction::Zoom ? !isControl && !isSideways : isControl;
}

} // namespace

std::int32_t GraphCanvas::boxAt(const QPointF& viewPoint) const
{
    const QPointF p = m_camera.now().toScene(viewPoint);
    return m_painter.index().boxAt({float(p.x()), float(p.y())});
}

ItemId GraphCanvas::itemAt(const QPointF& viewPoint) const
{
    const std::int32_t box = boxAt(viewPoint);
    return box < 0 ? ItemId{} : scene()->boxes[std::size_t(box)].item;
}

QRectF GraphCanvas::viewRect(ItemId item) const
{
    const auto box = scene()->boxOf.find(item);
    return box == scene()->boxOf.end() ? QRectF()
                                       : m_camera.now().toView(scene()->boxes[box->second].rect);
}

bool GraphCanvas::isOnChevron(std::int32_t box, const QPointF& viewPoint) const
{
    const SceneBox& hit = scene()->boxes[std::size_t(box)];
    if (hit.kind != BoxKind::Group && hit.kind != BoxKind::OpenGroup)
        return false;
    const QPointF inBox =
        m_camera.now().toScene(viewPoint) - QPointF(double(hit.rect.x), double(hit.rect.y));
    return inBox.x() < chevronRoom && inBox.y() < double(groupHeader);
}

void GraphCanvas::updateHover(const QPointF& at)
{
    const std::int32_t box = boxAt(at);
    // A frame counts as background: the pointer only meets its header.
    const bool isGround = box >= 0 && scene()->boxes[std::size_t(box)].kind == BoxKind::OpenGroup &&
                          m_camera.now().toScene(at).y() >
                              double(scene()->boxes[std::size_t(box)].rect.y) + double(groupHeader);
    const ItemId item = box < 0 || isGround ? ItemId{} : scene()->boxes[std::size_t(box)].item;
    if (!m_highlights.setHovered(item))
        return;
    const bool isLink =
        box >= 0 && !isGround && scene()->boxes[std::size_t(box)].kind == BoxKind::Stub;
    viewport()->setCursor(isLink ? Qt::PointingHandCursor : Qt::ArrowCursor);
    emit hovered(item);
}

void GraphCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    const bool isLeft = event->button() == Qt::LeftButton;
    const bool isBand = isLeft && (event->modifiers() & Qt::ShiftModifier);
    m_press = {event->position(), m_camera.now().origin, true, !isLeft, isBand};
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_press.isDown) {
        updateHover(event->position());
        return;
    }
    const QPointF way = event->position() - m_press.at;
    if (!m_press.isDrag && way.manhattanLength() < QApplication::startDragDistance())
        return;
    if (m_press.isBand) {
        m_press.isDrag = true;
        m_band = QRectF(m_press.at, event->position()).normalized();
        viewport()->setCursor(Qt::CrossCursor);
        viewport()->update();
        return;
    }
    if (!m_press.isDrag) {
        m_press.isDrag = true;
        m_camera.remember();
        viewport()->setCursor(Qt::ClosedHandCursor);
    }
    m_camera.stop();
    m_camera.moveTo({m_press.origin - way / m_camera.zoom(), m_camera.zoom()});
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_press.isDown)
        return;
    const bool wasClick = !m_press.isDrag && event->button() == Qt::LeftButton;
    const bool wasBand = m_press.isDrag && m_press.isBand;
    m_press = {};
    viewport()->setCursor(Qt::ArrowCursor);
    if (wasBand)
        selectInBand(event->modifiers() & Qt::ControlModifier);
    else if (wasClick)
        clickAt(event->position(), event->modifiers());
}

// Returns everything that the frame touches; for an open scope, its contents.
void GraphCanvas::selectInBand(bool keepsOthers)
{
    const QRectF band = std::exchange(m_band, QRectF());
    viewport()->update();
    const QPointF from = m_camera.now().toScene(band.topLeft());
    const QPointF to = m_camera.now().toScene(band.bottomRight());
    emit areaSelected(itemsIn({float(from.x()), float(from.y()), float(to.x() - from.x()),
                               float(to.y() - from.y())}),
                      keepsOthers);
}

std::vector<ItemId> GraphCanvas::itemsIn(const Rect& area) const
{
    std::vector<ItemId> items;
    for (const std::uint32_t i : index().boxesIn(area)) {
        const SceneBox& box = scene()->boxes[i];
        if ((box.kind == BoxKind::Op || box.kind == BoxKind::Group) && box.rect.intersects(area))
            items.push_back(box.item);
    }
    return items;
}

std::vector<ItemId> GraphCanvas::visibleItems() const
{
    const QRectF area = m_camera.now().sceneArea(viewSize());
    return itemsIn({float(area.x()), float(area.y()), float(area.width()), float(area.height())});
}

void GraphCanvas::clickAt(const QPointF& at, Qt::KeyboardModifiers modifiers)
{
    const bool isMore = modifiers & (Qt::ControlModifier | Qt::ShiftModifier);
    const std::int32_t box = boxAt(at);
    if (box < 0) {
        if (!isMore) // a small movement by accident deselects nothing
            m_highlights.setSelected({});
        return;
    }
    const SceneBox hit = scene()->boxes[std::size_t(box)];
    if (hit.kind == BoxKind::Stub) {
        emit stubActivated(hit.item);
        return;
    }
    if (isMore) {
        emit toggleRequested(hit.item);
        return;
    }
    m_highlights.selectAlone(hit.item);
    if (isOnChevron(box, at))
        emit itemActivated(hit.item);
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    const std::int32_t box = boxAt(event->position());
    if (event->button() != Qt::LeftButton || box < 0 || isOnChevron(box, event->position()))
        return;
    if (scene()->boxes[std::size_t(box)].kind != BoxKind::Stub)
        emit itemActivated(scene()->boxes[std::size_t(box)].item);
}

void GraphCanvas::wheelEvent(QWheelEvent* event)
{
    m_camera.stop();
    const QPointF notches = QPointF(event->angleDelta()) / 120.0;
    if (zooms(*event, m_wheelAction)) {
        const double factor = std::pow(wheelZoom, notches.y());
        m_camera.moveTo(m_camera.now().zoomed(m_camera.zoom() * factor, event->position()));
    } else {
        QPointF way =
            event->pixelDelta().isNull() ? notches * wheelPixels : QPointF(event->pixelDelta());
        if (event->modifiers() & Qt::ShiftModifier)
            way = way.transposed();
        m_camera.moveTo({m_camera.now().origin - way / m_camera.zoom(), m_camera.zoom()});
    }
    updateHover(event->position());
    event->accept();
}

bool GraphCanvas::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture)
            m_camera.moveTo(m_camera.now().zoomed(m_camera.zoom() * (1 + gesture->value()),
                                                  gesture->position()));
        return true;
    }
    if (event->type() == QEvent::Leave && m_highlights.setHovered({}))
        emit hovered({});
    return QAbstractScrollArea::viewportEvent(event);
}

void GraphCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Keyboard) {
        const QRectF place = viewRect(m_highlights.state().selected);
        const QPoint at = place.isEmpty() ? viewport()->rect().center() : place.center().toPoint();
        emit contextMenuRequested(m_highlights.state().selected, viewport()->mapToGlobal(at));
        return;
    }
    const ItemId item = itemAt(event->pos());
    if (item.isValid() &&
        !m_highlights.state().chosen.contains(item)) // otherwise the action is for all of them
        m_highlights.setSelected(item);
    emit contextMenuRequested(item, event->globalPos());
}

void GraphCanvas::select(ItemId item)
{
    if (!item.isValid())
        return;
    if (m_highlights.state().chosen.empty())
        m_highlights.setSelected(item);
    else
        emit walkedTo(item);
    m_camera.reveal(item);
}

bool GraphCanvas::walkKey(int key)
{
    const ItemId from = m_highlights.state().selected;
    if (!scene()->boxOf.contains(from)) {
        select(anchorItem({}));
        return true;
    }
    switch (key) {
    case Qt::Key_Down: select(walked(*scene(), from, Walk::Consumer)); return true;
    case Qt::Key_Up: select(walked(*scene(), from, Walk::Producer)); return true;
    case Qt::Key_Left: select(walked(*scene(), from, Walk::LeftSibling)); return true;
    case Qt::Key_Right: select(walked(*scene(), from, Walk::RightSibling)); return true;
    default: return false;
    }
}

bool GraphCanvas::panKey(const QKeyEvent& event)
{
    QPointF way;
    const bool isHeld = event.modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    switch (event.key()) {
    case Qt::Key_PageDown: way = {0, 0.8}; break;
    case Qt::Key_PageUp: way = {0, -0.8}; break;
    case Qt::Key_Down: way = isHeld ? QPointF(0, panShare) : QPointF(); break;
    case Qt::Key_Up: way = isHeld ? QPointF(0, -panShare) : QPointF(); break;
    case Qt::Key_Left: way = isHeld ? QPointF(-panShare, 0) : QPointF(); break;
    case Qt::Key_Right: way = isHeld ? QPointF(panShare, 0) : QPointF(); break;
    default: break;
    }
    if (way.isNull())
        return false;
    const QPointF step(way.x() * viewSize().width(), way.y() * viewSize().height());
    m_camera.glideTo({m_camera.now().origin + step / m_camera.zoom(), m_camera.zoom()}, true);
    return true;
}

void GraphCanvas::keyPressEvent(QKeyEvent* event)
{
    if (panKey(*event))
        return;
    const ItemId item = m_highlights.state().selected;
    const auto plain = event->modifiers() & ~Qt::KeypadModifier;
    const bool isArrow = event->key() >= Qt::Key_Left && event->key() <= Qt::Key_Down;
    if (plain == Qt::NoModifier && isArrow && !scene()->boxes.empty() && walkKey(event->key()))
        return;
    if (plain == Qt::NoModifier && item.isValid()) {
        switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter: emit itemActivated(item); return;
        case Qt::Key_Space: emit detailsRequested(item); return;
        case Qt::Key_Escape: m_highlights.setSelected({}); return;
        case Qt::Key_Backspace: {
            const auto box = scene()->boxOf.find(item);
            const bool isOpen = box != scene()->boxOf.end() &&
                                scene()->boxes[box->second].kind == BoxKind::OpenGroup;
            const ItemId group = isOpen ? item : enclosingGroup(*scene(), item);
            if (group.isValid())
                emit collapseRequested(group);
            return;
        }
        default: break;
        }
    }
    if (event->key() == Qt::Key_Plus || event->key() == Qt::Key_Equal)
        m_camera.zoomIn();
    else if (event->key() == Qt::Key_Minus)
        m_camera.zoomOut();
    else
        event->ignore(); // not QAbstractScrollArea's handler, which would scroll
}

} // namespace lapidary
