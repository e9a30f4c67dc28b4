// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/canvas_camera.h"

#include <QWidget>

#include <algorithm>

namespace lapidary {
namespace {

constexpr int motionMilliseconds = 160;
constexpr double largestFit = 1.5;
constexpr double jumpMargin = 32;

} // namespace

CanvasCamera::CanvasCamera(const ScenePainter& painter, const QWidget& view)
    : m_painter(painter)
    , m_view(view)
{
    m_animation.setDuration(motionMilliseconds);
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    connect(&m_animation, &QVariantAnimation::valueChanged, this,
            [this](const QVariant& share) { step(share.toDouble()); });
    connect(&m_animation, &QVariantAnimation::finished, this, &CanvasCamera::arrive);
}

CanvasCamera::~CanvasCamera() = default;

QSizeF CanvasCamera::viewSize() const
{
    return m_view.size();
}

bool CanvasCamera::isVisible() const
{
    return m_view.isVisible();
}

const MovedGeometry* CanvasCamera::movedBoxes() const
{
    return m_motion ? &m_motion->geometry() : nullptr;
}

void CanvasCamera::stop()
{
    m_animation.stop();
    m_motion.reset();
}

void CanvasCamera::glideTo(const Camera& to, bool animate)
{
    m_animation.stop();
    if (!animate || m_isStill) {
        m_motion.reset();
        moveTo(to);
        return;
    }
    m_from = m_camera;
    m_to = to;
    m_animation.start();
}

void CanvasCamera::step(double share)
{
    if (!isMoving())
        return;
    if (m_motion)
        m_motion->moveTo(share);
    moveTo(between(m_from, m_to, share));
}

void CanvasCamera::arrive()
{
    m_motion.reset();
    moveTo(m_to);
}

void CanvasCamera::moveTo(const Camera& camera)
{
    m_camera = {camera.origin, usableScale(camera.scale)};
    emit moved();
}

void CanvasCamera::follow(const Camera& camera)
{
    if (m_motion) {
        m_to = camera; // boxes are still moving: the camera moves there with them
        return;
    }
    m_animation.stop();
    if (m_camera != camera)
        moveTo(camera);
}

void CanvasCamera::set(const Camera& camera, bool animate)
{
    if (camera == goal())
        return;
    m_history.push(m_camera);
    m_history.push(camera);
    glideTo(camera, animate && isVisible());
}

void CanvasCamera::showFirstView(double largest)
{
    stop();
    const Camera first = firstView(scene(), viewSize());
    const QPointF middle(viewSize().width() / 2, viewSize().height() / 2);
    moveTo(first.scale > largest ? first.zoomed(largest, middle) : first);
    m_history.startAt(m_camera);
}

bool CanvasCamera::isAtFirstView() const
{
    return !canGoBack() && !canGoForward() && !isMoving() &&
           m_camera == firstView(scene(), viewSize());
}

void CanvasCamera::fitAll()
{
    set(fitted(scene().bounds, viewSize(), largestFit), true);
}

void CanvasCamera::fitItem(ItemId item)
{
    const auto box = scene().boxOf.find(item);
    if (box != scene().boxOf.end())
        set(fitted(scene().boxes[box->second].rect, viewSize(), largestFit), true);
}

void CanvasCamera::reveal(ItemId item)
{
    const auto box = scene().boxOf.find(item);
    if (box == scene().boxOf.end())
        return;
    const SceneBox& revealed = scene().boxes[box->second];
    const Rect& rect = revealed.rect;
    Camera camera = goal(); // the scene has its final positions
    const double readable = std::max(camera.scale, 0.6);
    if (readable > camera.scale)
        camera = camera.zoomed(readable, camera.toView(QPointF(rect.center().x, rect.center().y)));
    set(revealingBox(camera, revealed, viewSize(), jumpMargin), true);
}

Camera CanvasCamera::keepingInView(const Camera& camera, ItemId item, const Camera& before,
                                   QSizeF viewBefore) const
{
    const auto box = scene().boxOf.find(item);
    if (box == scene().boxOf.end())
        return camera;
    const SceneBox& kept = scene().boxes[box->second];
    return QRectF(QPointF(), viewBefore).contains(before.toView(kept.rect))
               ? revealingBox(camera, kept, viewSize(), jumpMargin / 2)
               : camera;
}

void CanvasCamera::redirect(const Camera& goal)
{
    if (isMoving())
        m_to = {goal.origin, usableScale(goal.scale)};
    else
        moveTo(goal);
}

void CanvasCamera::setZoom(double scale)
{
    const QPointF middle(viewSize().width() / 2, viewSize().height() / 2);
    set(m_camera.zoomed(scale, middle), true);
}

void CanvasCamera::goBack()
{
    if (canGoBack())
        glideTo(m_history.back(m_camera), isVisible());
}

void CanvasCamera::goForward()
{
    if (canGoForward())
        glideTo(m_history.forward(m_camera), isVisible());
}

} // namespace lapidary
