// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scene.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <vector>

namespace lapidary {

// The part of the scene that a view shows: the scene point at its top left, and pixels per scene
// unit.
struct Camera {
    QPointF origin;
    double scale = 1;

    QPointF toScene(QPointF view) const { return origin + view / scale; }
    QPointF toView(QPointF scene) const { return (scene - origin) * scale; }
    QRectF toView(const Rect& r) const
    {
        return {toView(QPointF(r.x, r.y)), QSizeF(r.w * scale, r.h * scale)};
    }
    QRectF sceneArea(QSizeF view) const { return {origin, view / scale}; }
    bool showsAll(const Rect& r, QSizeF view) const
    {
        return QRectF(QPointF(), view).contains(toView(r));
    }
    // Return the camera at another scale, around the same center or around a fixed point.
    Camera zoomed(double to, QPointF fixedInView) const;
    bool operator==(const Camera&) const = default;
};

// Returns the scale, limited to the range that the number types can handle; 1 if it is not finite.
// Zooming has no other limits.
double usableScale(double scale);

// Returns the camera that shows all of `area` in the middle of the view, at a scale of at most
// `largest`.
Camera fitted(const Rect& area, QSizeF view, double largest);
// Returns the camera of a first picture. It shows the first of these that is large enough: the
// whole picture, if it can be read or is hardly smaller than the network; the network without the
// parts beside it; the way from its inputs to its outputs; the network at a third of its size, or
// at a quarter if most of its boxes are then high enough for names. If none is, it shows as much of
// the beginning of the network as can be read.
Camera firstView(const Scene& scene, QSizeF view);
// Returns the camera, moved so that the view shows all of `bounds`. If they are larger than the
// view, they are not cut at one side while the other side has an empty strip.
Camera within(Camera camera, const Rect& bounds, QSizeF view);
// Returns the camera after the smallest move that brings `area` into view; if it does not fit, the
// move shows its top left.
Camera revealing(Camera camera, const Rect& area, QSizeF view, double margin);
// Reveals a box, which must not be covered by the headers of the open groups around it: those stay
// at the top of the view while their groups are visible.
Camera revealingBox(Camera camera, const SceneBox& box, QSizeF view, double margin);
constexpr double stickyHeaderHeight = 26;
int mostStickyHeaders(double viewHeight); // number of sticky headers that fit into a view
Camera between(const Camera& a, const Camera& b, double share);

// The cameras that the user has used. push() drops those that forward() would return to.
class CameraHistory {
public:
    void push(const Camera& camera);
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_cameras.size(); }
    // `current` replaces the entry that is left.
    Camera back(const Camera& current);
    Camera forward(const Camera& current);
    void startAt(const Camera& camera); // forgets all others

private:
    std::vector<Camera> m_cameras{Camera{}};
    std::size_t m_at = 0;
};

} // namespace lapidary
