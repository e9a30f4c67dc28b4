// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/panels/run/picture_view.h"

#include <array>

namespace lapidary {
namespace {

TEST_CASE("tiles are put into as many rows as show them largest", "[picture_view]")
{
    const PictureTiles tiles{{32, 32}, 32};
    CHECK(tilesInRow(tiles, {400, 138}) == 11); // of 3 rows
    CHECK(tilesInRow(tiles, {138, 400}) == 3);
    CHECK(tilesInRow(tiles, {300, 300}) == 6);
    CHECK(tilesInRow({{32, 32}, 1}, {300, 100}) == 1);
    CHECK(tilesInRow({{7, 7}, 2048}, {0, 0}) == 1);
}

TEST_CASE("every tile is drawn, whichever row it is in", "[picture_view]")
{
    // Four tiles of 2 by 2, each of one color, as two rows of two.
    const std::array<QRgb, 4> colors{qRgb(255, 0, 0), qRgb(0, 255, 0), qRgb(0, 0, 255),
                                     qRgb(255, 255, 0)};
    QImage image(5, 5, QImage::Format_RGB888);
    image.fill(Qt::black);
    for (int tile = 0; tile < 4; ++tile)
        for (int i = 0; i < 4; ++i)
            image.setPixel(tile % 2 * 3 + i % 2, tile / 2 * 3 + i / 2, colors[std::size_t(tile)]);
    PictureView view;
    view.setImage(image, {}, {{2, 2}, 4});
    for (const QSize room : {QSize(110, 20), QSize(20, 110), QSize(50, 50)}) {
        view.resize(room);
        const QImage drawn = view.grab().toImage();
        INFO(room.width() << " by " << room.height());
        for (const QRgb color : colors) {
            bool isThere = false;
            for (int y = 0; y < drawn.height() && !isThere; ++y)
                for (int x = 0; x < drawn.width() && !isThere; ++x)
                    isThere = drawn.pixel(x, y) == color;
            CHECK(isThere);
        }
    }
    CHECK(view.image() == image); // the saved picture is independent of the space
}

} // namespace
} // namespace lapidary
