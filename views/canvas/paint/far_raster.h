// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QPointF>
#include <QRgb>

namespace lapidary {

// Writes plain rectangles and lines one device pixel wide straight into a 32-bit image. With
// thousands of small ones this is some ten times faster than a painter.
class FarRaster {
public:
    // The image must be RGB32 or premultiplied ARGB32; colors are opaque.
    explicit FarRaster(QImage& image);

    void fill(double left, double top, double right, double bottom, QRgb color);
    // Draws the outline of the same rectangle, inside of it.
    void frame(double left, double top, double right, double bottom, QRgb color);
    // Draws box and outline at once, with corners taken off if the box is large enough.
    void roundedBox(double left, double top, double right, double bottom, QRgb fill, QRgb outline);
    void line(double x0, double y0, double x1, double y1, QRgb color);
    // Draws a smooth line `width` pixels wide, with `dash` pixels on and off in turn unless it is
    // 0.
    void smoothLine(QPointF from, QPointF to, double width, QRgb color, double dash = 0);
    // Draws a triangle whose tip is at `tip`, `length` pixels long, in the direction of an axis.
    void arrow(QPointF tip, QPointF direction, double length, QRgb color);

private:
    void blend(int x, int y, QRgb color, double share);
    void row(int y, int left, int right, QRgb color);
    void column(int x, int top, int bottom, QRgb color);

    QRgb* m_bits;
    qsizetype m_stride; // in pixels
    int m_width;
    int m_height;
};

} // namespace lapidary
