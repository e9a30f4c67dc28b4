// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/canvas/paint/text_cache.h"

#include <QImage>
#include <QPainter>

using namespace lapidary;

TEST_CASE("texts are cut to their space and stay in it", "[canvas]")
{
    QImage image(300, 40, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    TextCache texts;
    const std::string text = "resnet_v1_50/block1/unit_1/bottleneck_v1/conv2/Conv2D";
    for (const double scale : {0.5, 1.0, 2.5}) {
        const double used = texts.draw(
            painter, {text, TextRole::Name, TextCache::Align::Left, QPointF(10, 20), 120}, scale);
        CHECK(used <= 120.5);
        CHECK(used > 60);
    }
    CHECK(texts.draw(painter, {text, TextRole::Name, TextCache::Align::Left, {}, 0}, 1) == 0);
    const QString cut = texts.cut({text, TextRole::Name, TextCache::Align::Left, {}, 120}, 1);
    CHECK(cut.startsWith(QStringLiteral("resnet")));
    CHECK(cut.endsWith(QStringLiteral("Conv2D")));
    CHECK(texts.cut({text, TextRole::Name, TextCache::Align::Left, {}, 1200}, 1).isEmpty());
    const std::string shorter = "resnet_v1_50/blo\u2026tleneck_v1/conv2/Conv2D";
    const QString again = texts.cut({shorter, TextRole::Name, TextCache::Align::Left, {}, 120}, 1);
    CHECK(again.count(QChar(0x2026)) == 1);
    CHECK(again.startsWith(QStringLiteral("resnet")));
    CHECK(again.endsWith(QStringLiteral("Conv2D")));
    const qsizetype gap = again.indexOf(QChar(0x2026)); // instead of the first
    CHECK(QStringLiteral("resnet_v1_50/blo").startsWith(again.left(gap)));
    CHECK(QStringLiteral("tleneck_v1/conv2/Conv2D").endsWith(again.mid(gap + 1)));
    painter.end();
    for (int y = 0; y < image.height(); ++y)
        for (int x = 140; x < image.width(); ++x)
            REQUIRE(image.pixel(x, y) == QColor(Qt::white).rgb());
}

TEST_CASE("texts fade in over a tenth of zoom and are never too faint to read", "[canvas]")
{
    CHECK(textOpacity(TextRole::Name, 0.549) == 0);
    CHECK(textOpacity(TextRole::Name, 0.5775) == Approx(0.9));
    CHECK(textOpacity(TextRole::Name, 0.61) == 1);
}
