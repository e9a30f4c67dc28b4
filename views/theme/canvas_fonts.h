#pragma once

#include "views/layout/scene.h"

#include <QFont>

namespace lapidary {

// Size of a canvas text at 100 %, in pixels.
double textPixels(TextRole role);

// The font of a role at `canvasFontScale` times its size: painted with the painter scaled down by
// the same factor, half pixels come out right and every zoom has the same widths.
inline constexpr int canvasFontScale = 2;
QFont canvasFont(TextRole role);

} // namespace lapidary
