// SPDX-License-Identifier: Apache-2.0
#include "views/theme/ramp.h"

#include "views/theme/color.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {

QColor overlayRamp(double position)
{
    // Lightness is linear; hue and chroma follow knots similar to the viridis color map.
    struct Knot {
        double chroma, hue;
    };
    static constexpr std::array<Knot, 6> knots{{
        {0.13, 310},
        {0.11, 275},
        {0.10, 235},
        {0.11, 180},
        {0.16, 140},
        {0.19, 105},
    }};
    const double p = std::isfinite(position) ? std::clamp(position, 0.0, 1.0) : 0.0;
    const double at = p * (knots.size() - 1);
    const auto left = std::min(std::size_t(at), knots.size() - 2);
    const double share = at - double(left);
    const auto between = [share](double a, double b) { return a + (b - a) * share; };
    return oklch(0.28 + 0.62 * p, between(knots[left].chroma, knots[left + 1].chroma),
                 between(knots[left].hue, knots[left + 1].hue));
}

namespace {

FamilyColors filledBox(const QColor& fill, const Theme& theme)
{
    const QColor white = oklch(1, 0, 0);
    const QColor black = oklch(0, 0, 0);
    const QColor ink = contrast(fill, white) > contrast(fill, black) ? white : black;
    return {fill, mixed(fill, theme[Role::Text], 0.4), ink, ink};
}

} // namespace

FamilyColors overlayBox(double position, const Theme& theme)
{
    return filledBox(overlayRamp(position), theme);
}

FamilyColors differenceBox(double position, const Theme& theme)
{
    return filledBox(differenceRamp(position, theme.isDark), theme);
}

QColor differenceRamp(double position, bool dark)
{
    const double p = std::isfinite(position) ? std::clamp(position, -1.0, 1.0) : 0.0;
    const double strength = std::abs(p);
    const double hue = p < 0 ? 255 : 55;
    return dark ? oklch(0.28 + 0.40 * strength, 0.14 * strength, hue)
                : oklch(0.97 - 0.37 * strength, 0.15 * strength, hue);
}

} // namespace lapidary
