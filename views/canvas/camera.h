#pragma once

#include "views/layout/scene.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <vector>

namespace lapidary {

// What part of the scene a view shows: the scene point at its left top, and pixels per scene unit.
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
    // The same centre or fixed point at another scale.
    Camera zoomed(double to, QPointF fixedInView) const;
    bool operator==(const Camera&) const = default;
};

// Zooming has no limits but those of the numbers.
double usableScale(double scale);

// All of `area` in the middle of the view, at most at `largest`.
Camera fitted(const Rect& area, QSizeF view, double largest);
// The camera of a first picture: all of it where every text is readable then, else its top at a
// readable scale, with the inputs in the middle.
Camera firstView(const Scene& scene, QSizeF view);
// The smallest move that brings `area` into view; where it does not fit, its left top.
Camera revealing(Camera camera, const Rect& area, QSizeF view, double margin);
Camera between(const Camera& a, const Camera& b, double share);

// Where the user has been. push() drops what was ahead.
class CameraHistory {
public:
    void push(const Camera& camera);
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_cameras.size(); }
    // `current` is remembered in place of the entry that is left.
    Camera back(const Camera& current);
    Camera forward(const Camera& current);
    void clear();

private:
    std::vector<Camera> m_cameras{Camera{}};
    std::size_t m_at = 0;
};

} // namespace lapidary
