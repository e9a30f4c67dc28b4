#pragma once

#include <QColor>

namespace lapidary {

// Perceptually even ramp for overlays, 0..1: dark blue-violet through teal to yellow. Lightness
// rises evenly, so that it reads in grey too.
QColor overlayRamp(double position);
// Two-sided values, -1..1: blue, white (the theme's middle), orange.
QColor differenceRamp(double position, bool dark);

} // namespace lapidary
