// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/camera/following.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr double readable = 0.7; // as in a first view

} // namespace

Camera following(const Camera& camera, const Rect& frame, QSizeF view, double margin)
{
    const double width = view.width() - 2 * margin;
    const double height = view.height() - 2 * margin;
    if (frame.w * camera.scale <= width && frame.h * camera.scale <= height)
        return revealing(camera, frame, view, margin);
    const double smallest = std::min(camera.scale, readable);
    const Camera whole = fitted(frame, view, camera.scale);
    if (whole.scale >= smallest)
        return whole;
    const double byWidth = width / std::max(double(frame.w), 1.0);
    const double scale = std::clamp(byWidth, smallest, camera.scale);
    return {{frame.center().x - view.width() / (2 * scale), frame.y - margin / scale}, scale};
}

} // namespace lapidary
