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

// The camera of a canvas: the part of the scene that is in view, the ways to move it, and the
// cameras that the user can return to. It follows boxes that move to their positions in a new
// scene.
class CanvasCamera : public QObject {
    Q_OBJECT
public:
    // Both must outlive the camera. `view` is the widget that shows the scene of `painter`.
    CanvasCamera(const ScenePainter& painter, const QWidget& view);
    ~CanvasCamera() override;

    const Camera& now() const { return m_camera; }
    double zoom() const { return m_camera.scale; }
    bool isMoving() const { return m_animation.state() == QAbstractAnimation::Running; }
    const Camera& goal() const { return isMoving() ? m_to : m_camera; } // where it comes to rest
    bool isStill() const { return m_isStill; }                          // moves are never animated
    void setReducedMotion(bool reduced) { m_isStill = reduced; }

    // Jumps; goBack() returns from them.
    void set(const Camera& camera, bool animate);
    void fitAll();
    void fitItem(ItemId item);
    void reveal(ItemId item);                         // the smallest move that shows it
    void zoomIn() { setZoom(m_camera.scale * 1.25); } // around the middle
    void zoomOut() { setZoom(m_camera.scale / 1.25); }
    void zoomTo100() { setZoom(1.0); }
    // Shows the beginning of a graph and forgets earlier cameras.
    void showFirstView(double largest = std::numeric_limits<double>::infinity());
    bool isAtFirstView() const; // and has never been anywhere else
    bool canGoBack() const { return m_history.canGoBack(); }
    bool canGoForward() const { return m_history.canGoForward(); }
    void goBack();
    void goForward();

    // Moves that goBack() does not return from.
    void follow(const Camera& camera); // of another canvas
    void moveTo(const Camera& camera); // at once
    // Comes to rest there instead of at its goal, as when the view got another size.
    void redirect(const Camera& goal);
    void glideTo(const Camera& to, bool animate);
    void remember() { m_history.push(m_camera); } // before the first of several such moves
    void stop();

    // Sets the boxes that move during the next glide; null: none.
    void setBoxMotion(std::unique_ptr<SceneMotion> motion) { m_motion = std::move(motion); }
    // Returns the camera moved so that an item that was all in view before, in a view of another
    // size, still is.
    Camera keepingInView(const Camera& camera, ItemId item, const Camera& before,
                         QSizeF viewBefore) const;
    // Null where the boxes are where the scene has them.
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
