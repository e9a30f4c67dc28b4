// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/canvas/paint/visible_pieces.h"

#include <QImage>
#include <QPainter>

#include <algorithm>

using namespace lapidary;

namespace {

const QRectF area(0, 0, 200, 100);

QImage painted(const QPainterPath& path)
{
    QImage image(200, 100, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Qt::black, 2));
    painter.drawPath(path);
    return image;
}

int mostDifference(const QImage& a, const QImage& b)
{
    int most = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            most = std::max(most, std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y))));
    return most;
}

QPainterPath longWay()
{
    QPainterPath path(QPointF(20, -3000));
    path.lineTo(20, 40);
    path.cubicTo(20, 90, 120, 0, 120, 60);
    path.lineTo(120, 5000);
    path.cubicTo(120, 6000, 60, 7000, 60, 9000);
    path.lineTo(60, -9000);
    return path;
}

} // namespace

TEST_CASE("the visible pieces of a line look as the whole of it", "[canvas]")
{
    const QPainterPath whole = longWay();
    const QPainterPath seen = visiblePieces(whole, area.adjusted(-2, -2, 2, 2), false);
    CHECK(mostDifference(painted(whole), painted(seen)) <= 16);
    CHECK(seen.boundingRect().height() < 2000);
}

TEST_CASE("nothing is left of a line beside the area", "[canvas]")
{
    QPainterPath path(QPointF(-10, -50));
    path.lineTo(-10, 500);
    path.cubicTo(-10, 600, -40, 700, 300, 800);
    CHECK(visiblePieces(path, area, false).isEmpty());
    CHECK(visiblePieces(QPainterPath(), area, true).isEmpty());
}

TEST_CASE("the dashes of a line do not move with the area", "[canvas]")
{
    const QPainterPath whole = longWay();
    const auto starts = [&](double top) {
        const QPainterPath seen = visiblePieces(whole, area.translated(0, top), true);
        std::vector<QPointF> all;
        for (int i = 0; i < seen.elementCount(); ++i)
            if (seen.elementAt(i).isMoveTo())
                all.push_back(seen.elementAt(i));
        return all;
    };
    const auto before = starts(0);
    REQUIRE(!before.empty());
    for (const double top : {1.0, 7.25, 30.0}) {
        const auto after = starts(top);
        REQUIRE(after.size() + 1 >= before.size());
        for (const QPointF& start :
             after) // the piece above may have ended; none begins anywhere else
            CHECK(std::find(before.begin(), before.end(), start) != before.end());
    }
}

TEST_CASE("a line as long as numbers go ends", "[canvas]")
{
    QPainterPath path(QPointF(50, -1e300));
    path.lineTo(50, 1e300);
    CHECK(visiblePieces(path, area, true).elementCount() < 100);
}
