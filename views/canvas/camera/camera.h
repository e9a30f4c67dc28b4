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
    // Return the camera at another scale, around the same center or around a fixed point.
    Camera zoomed(double to, QPointF fixedInView) const;
    bool operator==(const Camera&) const = default;
};

// Zooming has no limits except those of the number type.
double usableScale(double scale);

// Returns the camera that shows all of `area` in the middle of the view, at a scale of at most
// `largest`.
Camera fitted(const Rect& area, QSizeF view, double largest);
// Returns the camera of a first picture. It shows the whole picture if that is large enough to be
// read, or hardly smaller than the network, else the network without the parts beside it, else the
// way from its inputs to its outputs, else the network at a third of its size, or a quarter if most
// of its boxes are then high enough for names; if none of that fits, the beginning of the network,
// with as much of it as can be seen.
Camera firstView(const Scene& scene, QSizeF view);
// Returns the view moved so that it shows all of `bounds`; what is larger than the view leaves no
// empty strip at one side while it is cut at the other.
Camera within(Camera camera, const Rect& bounds, QSizeF view);
// Returns the smallest move that brings `area` into view; if it does not fit, its top left.
Camera revealing(Camera camera, const Rect& area, QSizeF view, double margin);
// Reveals a box, which must not be covered by the headers of the open groups around it: those stay
// at the top of the view while their groups are visible.
Camera revealingBox(Camera camera, const SceneBox& box, QSizeF view, double margin);
constexpr double stickyHeaderHeight = 26;
int mostStickyHeaders(double viewHeight); // that fit into a view
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
