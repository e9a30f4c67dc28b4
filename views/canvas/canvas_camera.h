// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/camera/camera.h"
#include "views/canvas/paint/scene_painter.h"
#include "views/canvas/scene_motion.h"

#include <QObject>
#include <QVariantAnimation>

#include <limits>
#include <memory>

class QWidget;

namespace lapidary {

// Moves the part of the scene that is in view, and keeps the cameras that the user can
// return to. While boxes move to their positions in a new scene, it holds their current
// rectangles.
class CanvasCamera : public QObject {
    Q_OBJECT
public:
    // Both must outlive the camera. `view` is the widget that shows the scene of `painter`.
    CanvasCamera(const ScenePainter& painter, const QWidget& view);
    ~CanvasCamera() override;

    const Camera& now() const { return m_camera; }
    double zoom() const { return m_camera.scale; }
    bool isMoving() const { return m_animation.state() == QAbstractAnimation::Running; }
    const Camera& goal() const { return isMoving() ? m_to : m_camera; } // after the animation
    bool isStill() const { return m_isStill; }                          // moves are never animated
    void setReducedMotion(bool reduced) { m_isStill = reduced; }

    // Moves that goBack() undoes.
    void set(const Camera& camera, bool animate);
    void fitAll();
    void fitItem(ItemId item);
    void reveal(ItemId item);                         // by the smallest move that shows it
    void zoomIn() { setZoom(m_camera.scale * 1.25); } // around the middle
    void zoomOut() { setZoom(m_camera.scale / 1.25); }
    void zoomTo100() { setZoom(1.0); }
    // Shows the beginning of a graph and forgets earlier cameras.
    void showFirstView(double largest = std::numeric_limits<double>::infinity());
    bool isAtFirstView() const; // and goBack() and goForward() lead nowhere
    bool canGoBack() const { return m_history.canGoBack(); }
    bool canGoForward() const { return m_history.canGoForward(); }
    void goBack();
    void goForward();

    // Moves that goBack() does not undo.
    void follow(const Camera& camera); // shows what another canvas shows
    void moveTo(const Camera& camera); // without an animation
    // Replaces the goal of a running animation, or moves at once. Used after the view was resized.
    void redirect(const Camera& goal);
    void glideTo(const Camera& to, bool animate);
    void remember() { m_history.push(m_camera); } // for goBack(), before several such moves
    void stop();

    // Sets the boxes that move during the next glide; null: none.
    void setBoxMotion(std::unique_ptr<SceneMotion> motion) { m_motion = std::move(motion); }
    // Returns `camera`, moved if necessary so that `item` is entirely in view if it was with the
    // camera `before` in a view of the size `viewBefore`.
    Camera keepingInView(const Camera& camera, ItemId item, const Camera& before,
                         QSizeF viewBefore) const;
    // Null if no boxes are moving: they are at the scene's positions.
    const MovedGeometry* movedBoxes() const;

signals:
    void moved();

private:
    const Scene& scene() const { return *m_painter.scene(); }
    QSizeF viewSize() const;
    bool isVisible() const;
    void setZoom(double scale);
    void step(double share);
    void arrive();

    const ScenePainter& m_painter;
    const QWidget& m_view;
    Camera m_camera;
    CameraHistory m_history;
    std::unique_ptr<SceneMotion> m_motion;
    QVariantAnimation m_animation;
    Camera m_from;
    Camera m_to;
    bool m_isStill = false;
};

} // namespace lapidary
