#pragma once

#include "views/theme/theme.h"

#include <QColor>

namespace lapidary {

// Perceptually even ramp for overlays, 0..1: dark blue-violet through teal to yellow. Lightness
// rises evenly, so that it reads in grey too.
QColor overlayRamp(double position);
// A box of that fill: its text is always readable, its outline stands out from the canvas.
FamilyColours overlayBox(double position, const Theme& theme);
// Two-sided values, -1..1: blue, white (the theme's middle), orange.
QColor differenceRamp(double position, bool dark);

} // namespace lapidary
