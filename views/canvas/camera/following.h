// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/camera/camera.h"

namespace lapidary {

// Returns the camera after a scope was opened: moved as little as possible if `frame` fits;
// otherwise zoomed out to show all of it, but not further than a first picture may be; otherwise at
// its beginning.
Camera following(const Camera& camera, const Rect& frame, QSizeF view, double margin);

} // namespace lapidary
