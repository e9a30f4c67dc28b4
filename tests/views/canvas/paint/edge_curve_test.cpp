// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "views/canvas/paint/edge_curve.h"

#include <algorithm>
#include <random>
#include <vector>

using namespace lapidary;

TEST_CASE("a monotone route gives a monotone curve between its points", "[canvas]")
{
    std::mt19937 random(7);
    for (int trial = 0; trial < 60; ++trial) {
        std::vector<Point> route;
        float y = 0;
        for (int i = 0; i < 6; ++i)
            route.push_back({float(random() % 400), y += float(5 + random() % 90)});
        const EdgeCurve curve = edgeCurve(route, true, 0);
        double lastY = -1;
        for (int step = 0; step <= 500; ++step) {
            const QPointF p = curve.path.pointAtPercent(step / 500.0);
            CHECK(p.y() >= lastY - 1e-6);
            lastY = p.y();
            const auto next = std::ranges::find_if(
                route, [&](Point knot) { return double(knot.y) >= p.y() - 1e-6; });
            const Point high = next == route.end() ? route.back() : *next;
            const Point low = next == route.begin() || next == route.end() ? high : *(next - 1);
            CHECK(p.x() >= std::min(low.x, high.x) - 0.51);
            CHECK(p.x() <= std::max(low.x, high.x) + 0.51);
        }
    }
}

TEST_CASE("a curve leaves and arrives along the flow", "[canvas]")
{
    const std::vector<Point> route{{0, 0}, {120, 60}};
    const EdgeCurve down = edgeCurve(route, true, 0);
    CHECK(down.direction == QPointF(0, 1));
    CHECK(down.path.elementAt(1).x == Approx(0));
    CHECK(down.tip == QPointF(120, 60));
    const EdgeCurve right = edgeCurve(route, false, 0);
    CHECK(right.direction == QPointF(1, 0));
}

TEST_CASE("a back edge is a polyline with round corners that ends at its tip", "[canvas]")
{
    const std::vector<Point> route{{0, 100}, {40, 100}, {40, 0}, {10, 0}};
    const EdgeCurve curve = edgeCurve(route, true, 0);
    CHECK(curve.direction == QPointF(-1, 0));
    CHECK(curve.path.currentPosition() == QPointF(10, 0));
    CHECK(curve.path.boundingRect().right() <= 40.01);
}

TEST_CASE("odd routes are harmless", "[canvas]")
{
    CHECK(edgeCurve({}, true, 5).path.isEmpty());
    const std::vector<Point> one{{3, 3}};
    CHECK(edgeCurve(one, true, 5).path.isEmpty());
    const std::vector<Point> same{{3, 3}, {3, 3}, {3, 3}};
    CHECK(edgeCurve(same, true, 5).tip == QPointF(3, 3));
    const std::vector<Point> straight{{3, 0}, {3, 10}};
    CHECK(edgeCurve(straight, true, 50).path.currentPosition().y() == Approx(5));
}
