#pragma once

#include "views/canvas/scene_painter.h"

namespace lapidary {

// The way from one picture to the next: every box that was there before moves, what is new grows
// out of the box it was hidden in, and lines follow their ends.
class SceneMotion {
public:
    // `oldRects` are where the old scene's boxes are now, which may be half way themselves.
    SceneMotion(const Scene& oldScene, std::span<const Rect> oldRects, ScenePtr newScene);

    // 0: as before, 1: as in the new scene. O(boxes + points).
    void moveTo(double share);
    const MovedGeometry& geometry() const { return m_now; }

private:
    void startBoxes(const Scene& oldScene, std::span<const Rect> oldRects);
    void startRoutes();

    ScenePtr m_scene;
    MovedGeometry m_start;
    MovedGeometry m_now;
};

} // namespace lapidary
