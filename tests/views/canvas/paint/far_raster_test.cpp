// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/canvas/paint/far_raster.h"

#include <cmath>
#include <random>

using namespace lapidary;

namespace {

constexpr QRgb ink = 0xFF112233;

int inked(const QImage& image)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixel(x, y) == ink;
    return count;
}

QImage paper()
{
    QImage image(40, 30, QImage::Format_RGB32);
    image.fill(Qt::white);
    return image;
}

} // namespace

TEST_CASE("rectangles are cut to the image", "[canvas]")
{
    QImage image = paper();
    FarRaster raster(image);
    raster.fill(-5, -5, 3.5, 2.5, ink);
    CHECK(inked(image) == 4 * 3);
    raster.fill(100, 100, 200, 200, ink);
    CHECK(inked(image) == 4 * 3);
    raster.frame(-1e9, -1e9, 1e9, 1e9, ink);
    CHECK(inked(image) == 4 * 3);
}

TEST_CASE("the smallest box is one pixel", "[canvas]")
{
    QImage image = paper();
    FarRaster(image).fill(10.2, 10.2, 10.3, 10.3, ink);
    CHECK(inked(image) == 1);
}

TEST_CASE("lines reach both ends and stay inside", "[canvas]")
{
    QImage image = paper();
    FarRaster(image).line(2, 3, 30, 20, ink);
    CHECK(image.pixel(2, 3) == ink);
    CHECK(inked(image) == 29);

    std::mt19937 random(3);
    QImage other = paper();
    FarRaster raster(other);
    for (int i = 0; i < 2000; ++i) {
        const auto coordinate = [&] { return double(int(random() % 4000)) - 2000 + 0.37; };
        raster.line(coordinate(), coordinate(), coordinate(), coordinate(), ink);
    }
    raster.line(NAN, 0, 1, 1, ink);
    raster.line(-1e30, -1e30, 1e30, 1e30, ink);
    CHECK(inked(other) > 0);
}
