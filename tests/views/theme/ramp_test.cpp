// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/theme/color.h"
#include "views/theme/ramp.h"

#include <cmath>

using namespace lapidary;

TEST_CASE("the overlay ramp grows evenly in lightness", "[theme]")
{
    double before = -1;
    for (int i = 0; i <= 20; ++i) {
        const double lightness = std::cbrt(luminance(overlayRamp(i / 20.0)));
        CHECK(lightness > before);
        if (i > 0)
            CHECK(lightness - before < 0.08);
        before = lightness;
    }
}

TEST_CASE("ramps take anything", "[theme]")
{
    CHECK(overlayRamp(-5) == overlayRamp(0));
    CHECK(overlayRamp(NAN) == overlayRamp(0));
    CHECK(differenceRamp(INFINITY, true) == differenceRamp(0, true));
    CHECK(differenceRamp(-1, false).blue() > differenceRamp(-1, false).red());
    CHECK(differenceRamp(1, false).red() > differenceRamp(1, false).blue());
}
