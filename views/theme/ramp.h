// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/theme/theme.h"

#include <QColor>

namespace lapidary {

// Returns a color of the perceptually even ramp of overlays, for 0..1: dark blue-violet through
// teal to yellow. Lightness rises evenly, so that the ramp also reads in gray.
QColor overlayRamp(double position);
// Returns the colors of a box with that fill: its text is always readable, and its outline differs
// from the canvas.
FamilyColors overlayBox(double position, const Theme& theme);
// Returns a color of the ramp for values with a sign, -1..1: blue, white (the theme's middle),
// orange.
QColor differenceRamp(double position, bool dark);
// Returns the colors of a box with that fill.
FamilyColors differenceBox(double position, const Theme& theme);

} // namespace lapidary
