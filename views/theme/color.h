// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>

namespace lapidary {

// Returns a color of the OKLCH space: lightness 0..1, chroma 0..0.4, hue in degrees. Chroma is
// reduced until the color exists in sRGB, so that lightness and hue are kept. (Conversion: B.
// Ottosson, "A perceptual color space for image processing", 2020.)
QColor oklch(double lightness, double chroma, double hueDegrees);

// Return relative luminance and contrast ratio as WCAG 2 defines them; alpha is ignored.
double luminance(const QColor& color);
double contrast(const QColor& a, const QColor& b);

// Return `over` with its alpha on an opaque `under`; and `a` moved towards `b` by 0..1.
QColor blended(const QColor& over, const QColor& under);
QColor mixed(const QColor& a, const QColor& b, double share);

} // namespace lapidary
