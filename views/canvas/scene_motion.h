// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/paint/scene_painter.h"

namespace lapidary {

// The animation from one picture to the next: every box that was there before moves, new boxes grow
// out of the box that hid them, and lines follow the boxes at their ends.
class SceneMotion {
public:
    // `oldRects` are the current positions of the old scene's boxes, which may be moving
    // themselves.
    SceneMotion(const Scene& oldScene, std::span<const Rect> oldRects, ScenePtr newScene);

    // Sets the geometry between the old scene (0) and the new one (1). O(boxes + points).
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
