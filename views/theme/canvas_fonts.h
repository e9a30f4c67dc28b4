// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scene.h"

#include <QFont>

namespace lapidary {

// Returns the size of a canvas text at 100 %, in pixels.
double textPixels(TextRole role);

// Returns the font of a role at `canvasFontScale` times its size. Painting with the painter scaled
// down by the same factor makes half pixels come out right and gives every zoom the same widths.
inline constexpr int canvasFontScale = 2;
QFont canvasFont(TextRole role);

} // namespace lapidary
