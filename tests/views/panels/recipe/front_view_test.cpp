// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/panels/recipe/front_view.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace lapidary;
using namespace Qt::Literals::StringLiterals;

namespace {

AutopilotPoint point(std::int64_t bytes, double decibels)
{
    AutopilotPoint point;
    point.bytes = bytes;
    point.gzipBytes = bytes / 2;
    point.noise.ratio = std::isinf(decibels) ? 0 : std::pow(10, -decibels / 10);
    point.isEstimated = true;
    return point;
}

struct DrawnFront {
    DrawnFront()
    {
        auto found = std::make_shared<Autopilot>();
        found->bytes = 157122;
        found->points = {point(46000, 37), point(47000, 36), point(50000, 42),
                         point(150000, INFINITY)};
        found->front = {0, 2, 3};
        found->chosen = 2;
        limits.leastDb = 40;
        view.resize(500, 260);
        view.setFound(found, limits);
        view.show();
    }
    AutopilotOptions limits;
    FrontView view;
};

} // namespace

TEST_CASE("the front says what it shows", "[recipe][autopilot]")
{
    DrawnFront drawn;
    CHECK(drawn.view.text() == u"4 files built and run, 3 beaten by none; the model: 157 kB"_s);
    CHECK(drawn.view.accessibleDescription() == drawn.view.text());
    drawn.view.setCurrent(0);
    CHECK(drawn.view.accessibleDescription().startsWith(u"46.0 kB \u00B7 37.0 dB; "_s));
    drawn.view.setFound(nullptr, {});
    CHECK(drawn.view.text() == u"nothing was searched"_s);
}

TEST_CASE("files with a goal of speed are placed by their times", "[recipe][autopilot]")
{
    DrawnFront drawn;
    auto found = std::make_shared<Autopilot>();
    found->bytes = 157122;
    found->nanoseconds = 12'000'000;
    found->points = {point(46000, 37), point(47000, 42)};
    found->points[0].nanoseconds = 4'000'000;
    found->points[1].nanoseconds = 6'000'000;
    found->front = {0, 1};
    AutopilotOptions limits;
    limits.leastSpeedup = 2;
    limits.mostNanoseconds = 6'000'000;
    drawn.view.setFound(found, limits);
    CHECK(drawn.view.text().endsWith(u"the model: 12.0 ms"_s));
    drawn.view.setCurrent(0);
    CHECK(drawn.view.accessibleDescription().startsWith(u"4.0 ms \u00B7 37.0 dB; "_s));
    const QSignalSpy chosen(&drawn.view, &FrontView::pointChosen);
    QTest::keyClick(&drawn.view, Qt::Key_Right); // to the next slower one
    REQUIRE(chosen.size() == 1);
    CHECK(chosen.front().front().value<std::size_t>() == 1);
}

TEST_CASE("the keys walk along the sizes and the accuracies of files", "[recipe][autopilot]")
{
    DrawnFront drawn;
    const QSignalSpy chosen(&drawn.view, &FrontView::pointChosen);
    const QSignalSpy activated(&drawn.view, &FrontView::pointActivated);
    const auto newest = [&] { return chosen.back().front().value<std::size_t>(); };
    drawn.view.setCurrent(0);
    QTest::keyClick(&drawn.view, Qt::Key_Right);
    CHECK(newest() == 1);
    QTest::keyClick(&drawn.view, Qt::Key_Up); // from 36 to 37 dB
    CHECK(newest() == 0);
    QTest::keyClick(&drawn.view, Qt::Key_Up);
    CHECK(newest() == 2);
    QTest::keyClick(&drawn.view, Qt::Key_Up); // exact results are the most accurate
    CHECK(newest() == 3);
    const auto count = chosen.size();
    QTest::keyClick(&drawn.view, Qt::Key_Right); // there is no such file
    CHECK(chosen.size() == count);
    QTest::keyClick(&drawn.view, Qt::Key_Return);
    REQUIRE(activated.size() == 1);
    CHECK(activated.front().front().value<std::size_t>() == 3);
}

TEST_CASE("a click chooses the nearest file of the front", "[recipe][autopilot]")
{
    DrawnFront drawn;
    const QSignalSpy chosen(&drawn.view, &FrontView::pointChosen);
    // The largest file is at the right and at the top.
    for (int x = drawn.view.width() - 1; x > drawn.view.width() / 2 && chosen.isEmpty(); --x)
        QTest::mouseClick(&drawn.view, Qt::LeftButton, {}, QPoint(x, 14));
    REQUIRE(chosen.size() == 1);
    CHECK(chosen.front().front().value<std::size_t>() == 3);
}

TEST_CASE("the front is drawn without a file, too", "[recipe][autopilot]")
{
    FrontView view;
    view.resize(300, 160);
    CHECK_FALSE(view.grab().isNull());
    view.setFound(std::make_shared<Autopilot>(), {});
    CHECK_FALSE(view.grab().isNull());
    auto one = std::make_shared<Autopilot>();
    one->points = {point(1000, INFINITY)};
    one->front = {0};
    view.setFound(one, {});
    CHECK_FALSE(view.grab().isNull());
}
