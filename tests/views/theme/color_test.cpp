// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/theme/color.h"

using namespace lapidary;

TEST_CASE("OKLCH gives the well-known corners of sRGB", "[theme]")
{
    CHECK(oklch(0, 0, 0) == QColor(0, 0, 0));
    CHECK(oklch(1, 0, 0) == QColor(255, 255, 255));
    const QColor red = oklch(0.62796, 0.2576, 29.23);
    CHECK(red.red() >= 253);
    CHECK(red.green() <= 6);
    CHECK(red.blue() <= 6);
}

TEST_CASE("a color outside sRGB keeps its lightness", "[theme]")
{
    const QColor color = oklch(0.95, 0.3, 255);
    CHECK(luminance(color) == Approx(luminance(oklch(0.95, 0, 0))).margin(0.03));
    CHECK(color.blue() > color.red());
}

TEST_CASE("contrast of black and white is 21", "[theme]")
{
    CHECK(contrast(Qt::black, Qt::white) == Approx(21));
    CHECK(contrast(Qt::white, Qt::white) == Approx(1));
    CHECK(contrast(QColor(0x77, 0x77, 0x77), Qt::white) == Approx(4.48).margin(0.01));
}

TEST_CASE("blending follows alpha", "[theme]")
{
    CHECK(blended(QColor(255, 255, 255, 0), Qt::black) == QColor(Qt::black));
    CHECK(blended(QColor(255, 255, 255, 255), Qt::black) == QColor(Qt::white));
    CHECK(mixed(QColor(0, 0, 0), QColor(200, 100, 50), 0.5) == QColor(100, 50, 25));
}
