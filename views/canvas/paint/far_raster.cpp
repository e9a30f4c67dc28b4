// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/paint/far_raster.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

// Cuts a line to 0..width, 0..height (Liang and Barsky). Returns false if nothing is left.
bool clipLine(double& x0, double& y0, double& x1, double& y1, double width, double height)
{
    const double dx = x1 - x0;
    const double dy = y1 - y0;
    double enter = 0;
    double leave = 1;
    const auto cut = [&](double p, double q) {
        if (p == 0)
            return q >= 0;
        const double t = q / p;
        if (p < 0)
            enter = std::max(enter, t);
        else
            leave = std::min(leave, t);
        return enter <= leave;
    };
    if (!cut(-dx, x0) || !cut(dx, width - x0) || !cut(-dy, y0) || !cut(dy, height - y0))
        return false;
    x1 = x0 + leave * dx;
    y1 = y0 + leave * dy;
    x0 += enter * dx;
    y0 += enter * dy;
    return true;
}

int pixel(double v, int end)
{
    if (!(v > -1))
        return -1;
    return int(std::clamp(std::floor(v), -1.0, double(end)));
}

} // namespace

FarRaster::FarRaster(QImage& image)
    : m_bits(reinterpret_cast<QRgb*>(image.bits()))
    , m_stride(image.bytesPerLine() / 4)
    , m_width(image.width())
    , m_height(image.height())
{
}

void FarRaster::row(int y, int left, int right, QRgb color)
{
    if (y < 0 || y >= m_height)
        return;
    left = std::max(left, 0);
    right = std::min(right, m_width - 1);
    if (left <= right)
        std::fill_n(m_bits + y * m_stride + left, right - left + 1, color);
}

void FarRaster::column(int x, int top, int bottom, QRgb color)
{
    if (x < 0 || x >= m_width)
        return;
    bottom = std::min(bottom, m_height - 1);
    for (int y = std::max(top, 0); y <= bottom; ++y)
        m_bits[y * m_stride + x] = color;
}

void FarRaster::fill(double left, double top, double right, double bottom, QRgb color)
{
    const int x0 = pixel(left, m_width);
    const int x1 = std::max(x0, pixel(right, m_width));
    const int y1 = std::max(pixel(top, m_height), pixel(bottom, m_height));
    for (int y = pixel(top, m_height); y <= y1; ++y)
        row(y, x0, x1, color);
}

void FarRaster::frame(double left, double top, double right, double bottom, QRgb color)
{
    const int x0 = pixel(left, m_width);
    const int x1 = std::max(x0, pixel(right, m_width));
    const int y0 = pixel(top, m_height);
    const int y1 = std::max(y0, pixel(bottom, m_height));
    row(y0, x0, x1, color);
    row(y1, x0, x1, color);
    column(x0, y0, y1, color);
    column(x1, y0, y1, color);
}

void FarRaster::roundedBox(double left, double top, double right, double bottom, QRgb inside,
                           QRgb outline)
{
    const int x[2] = {pixel(left, m_width), pixel(right, m_width)};
    const int y[2] = {pixel(top, m_height), pixel(bottom, m_height)};
    const bool isWhole = x[0] >= 0 && y[0] >= 0 && x[1] < m_width && y[1] < m_height &&
                         x[1] - x[0] > 6 && y[1] - y[0] > 6;
    QRgb ground[2][2] = {};
    if (isWhole)
        for (int i = 0; i < 2; ++i)
            for (int k = 0; k < 2; ++k)
                ground[i][k] = m_bits[y[i] * m_stride + x[k]];
    fill(left, top, right, bottom, inside);
    frame(left, top, right, bottom, outline);
    if (!isWhole)
        return;
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2; ++k) {
            blend(x[k], y[i], ground[i][k], 0.9);
            blend(x[k] + (k == 0 ? 1 : -1), y[i] + (i == 0 ? 1 : -1), outline, 0.35);
        }
}

void FarRaster::line(double x0, double y0, double x1, double y1, QRgb color)
{
    // Farther away, clipping would lose its precision; the comparison also rejects NaN.
    constexpr double farthest = 1e8;
    for (const double v : {x0, y0, x1, y1})
        if (!(std::abs(v) < farthest))
            return;
    if (!clipLine(x0, y0, x1, y1, m_width - 1, m_height - 1))
        return;
    for (double* x : {&x0, &x1})
        *x = std::clamp(*x, 0.0, m_width - 1.0);
    for (double* y : {&y0, &y1})
        *y = std::clamp(*y, 0.0, m_height - 1.0);
    const double dx = x1 - x0;
    const double dy = y1 - y0;
    const int steps = int(std::max(std::abs(dx), std::abs(dy)));
    if (steps == 0) {
        m_bits[int(y0) * m_stride + int(x0)] = color;
        return;
    }
    // 16.16 fixed point; both end points are inside, so every step is.
    const auto fixed = [](double v) { return std::int64_t(v * 65536); };
    std::int64_t x = fixed(x0);
    std::int64_t y = fixed(y0);
    const std::int64_t stepX = fixed(dx / steps);
    const std::int64_t stepY = fixed(dy / steps);
    for (int i = 0; i <= steps; ++i, x += stepX, y += stepY)
        m_bits[(y >> 16) * m_stride + (x >> 16)] = color;
}

void FarRaster::blend(int x, int y, QRgb color, double share)
{
    if (x < 0 || y < 0 || x >= m_width || y >= m_height || share <= 0)
        return;
    QRgb& pixel = m_bits[y * m_stride + x];
    const int weight = int(std::min(share, 1.0) * 256);
    const auto mixed = [weight](int under, int over) {
        return under + ((over - under) * weight) / 256;
    };
    pixel = qRgb(mixed(qRed(pixel), qRed(color)), mixed(qGreen(pixel), qGreen(color)),
                 mixed(qBlue(pixel), qBlue(color)));
}

// Walks along the longer axis. Each pixel across the width of the line is colored by the share of
// it that the line covers.
void FarRaster::smoothLine(QPointF from, QPointF to, double width, QRgb color, double dash)
{
    double x0 = from.x() + 2, y0 = from.y() + 2, x1 = to.x() + 2, y1 = to.y() + 2;
    constexpr double farthest = 1e8;
    for (const double v : {x0, y0, x1, y1})
        if (!(std::abs(v) < farthest))
            return;
    if (!clipLine(x0, y0, x1, y1, m_width + 4, m_height + 4))
        return;
    x0 -= 2, y0 -= 2, x1 -= 2, y1 -= 2;
    const bool isSteep = std::abs(y1 - y0) >= std::abs(x1 - x0);
    double along0 = isSteep ? y0 : x0, along1 = isSteep ? y1 : x1;
    double across0 = isSteep ? x0 : y0, across1 = isSteep ? x1 : y1;
    if (along0 > along1) {
        std::swap(along0, along1);
        std::swap(across0, across1);
    }
    const double slope = along1 > along0 ? (across1 - across0) / (along1 - along0) : 0;
    const double half = width * std::sqrt(1 + slope * slope) / 2;
    const int last = int(std::ceil(along1));
    for (int i = int(std::floor(along0)); i < last; ++i) {
        if (dash > 0 && std::fmod(i, 2 * dash) >= dash)
            continue;
        const double share = std::min(along1, i + 1.0) - std::max(along0, double(i));
        const double middle = across0 + slope * (std::clamp(i + 0.5, along0, along1) - along0);
        const double low = middle - half;
        const double high = middle + half;
        for (int j = int(std::floor(low)); j < high; ++j) {
            const double covered = std::min(high, j + 1.0) - std::max(low, double(j));
            blend(isSteep ? j : i, isSteep ? i : j, color, covered * share);
        }
    }
}

void FarRaster::arrow(QPointF tip, QPointF direction, double length, QRgb color)
{
    const QPointF side(-direction.y(), direction.x());
    constexpr int steps = 6;
    for (int i = 0; i < steps; ++i) {
        const double share = (i + 0.5) / steps;
        const QPointF at = tip - direction * (length * share);
        smoothLine(at - side * (length * share / 2), at + side * (length * share / 2),
                   length / steps, color);
    }
}

} // namespace lapidary
