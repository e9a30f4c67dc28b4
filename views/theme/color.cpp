// SPDX-License-Identifier: Apache-2.0
#include "views/theme/color.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace lapidary {
namespace {

using Linear = std::array<double, 3>;

// Converts Oklab to linear sRGB with the published matrices.
Linear linearRgb(double lightness, double a, double b)
{
    const auto cubed = [](double v) { return v * v * v; };
    const double l = cubed(lightness + 0.3963377774 * a + 0.2158037573 * b);
    const double m = cubed(lightness - 0.1055613458 * a - 0.0638541728 * b);
    const double s = cubed(lightness - 0.0894841775 * a - 1.2914855480 * b);
    return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

bool isInGamut(const Linear& rgb)
{
    return std::ranges::all_of(rgb, [](double v) { return v >= -1e-4 && v <= 1.0001; });
}

double encoded(double linear)
{
    const double v = std::clamp(linear, 0.0, 1.0);
    return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
}

double decoded(double value)
{
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

} // namespace

QColor oklch(double lightness, double chroma, double hueDegrees)
{
    constexpr double step = 0.0025; // by which the chroma is reduced until sRGB has the color
    const double hue = hueDegrees * std::numbers::pi / 180;
    Linear rgb = linearRgb(lightness, 0, 0);
    const int steps = int(std::ceil(chroma / step));
    for (int i = 0; i < steps; ++i) {
        const double c = chroma - i * step;
        const Linear tried = linearRgb(lightness, c * std::cos(hue), c * std::sin(hue));
        if (isInGamut(tried)) {
            rgb = tried;
            break;
        }
    }
    const auto byte = [](double linear) { return int(std::lround(encoded(linear) * 255)); };
    return QColor(byte(rgb[0]), byte(rgb[1]), byte(rgb[2]));
}

double luminance(const QColor& color)
{
    return 0.2126 * decoded(color.redF()) + 0.7152 * decoded(color.greenF()) +
           0.0722 * decoded(color.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return std::max(first, second) / std::min(first, second);
}

QColor blended(const QColor& over, const QColor& under)
{
    QColor opaque = over;
    opaque.setAlpha(255);
    return mixed(under, opaque, over.alphaF());
}

QColor mixed(const QColor& a, const QColor& b, double share)
{
    const auto at = [share](int from, int to) {
        return int(std::lround(from + (to - from) * share));
    };
    return QColor(at(a.red(), b.red()), at(a.green(), b.green()), at(a.blue(), b.blue()));
}

} // namespace lapidary
