// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/camera/camera.h"

namespace lapidary {

// Returns the camera for a scope that was opened: as little moved as possible if it fits, else as
// small as a first picture may be to show all of it, else its beginning.
Camera following(const Camera& camera, const Rect& frame, QSizeF view, double margin);

} // namespace lapidary
