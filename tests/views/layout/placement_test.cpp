// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/views/layout/drawn_crossings.h"
#include "tests/views/layout/sample_problems.h"
#include "views/layout/layered/placement.h"
#include "views/layout/layered/plan.h"

#include <algorithm>
#include <cmath>
#include <string>

using namespace lapidary;
using namespace lapidary::layered;
using lapidary::testing::sampleProblems;

namespace {

struct Box {
    float left;
    float top;
    float right;
    float bottom;
};

Room roomOf(int v)
{
    const float half = 40.0F + float(v % 5) * 12;
    const float chips = v % 3 == 0 ? 60 : 0;
    const float height = v % 11 == 0 ? 240 : 36;
    return {.left = half,
            .right = half + chips,
            .boxLeft = half,
            .boxRight = half,
            .height = height,
            .boxTop = 0,
            .boxHeight = height};
}

struct Drawing {
    Problem problem;
    Plan plan;
    std::vector<Room> rooms;
    Placement placement;

    explicit Drawing(Problem p, const Spacing& spacing = {})
        : problem(std::move(p))
    {
        plan = makePlan(problem, {}, Job{}).value();
        for (int v = 0; v < problem.vertices; ++v)
            rooms.push_back(roomOf(v));
        const std::vector<Ends> ends(problem.edges.size());
        placement = place(problem, plan, rooms, ends, spacing, Job{}).value();
    }
    Box room(int v) const
    {
        const Spot at = placement.axis[v];
        return {at.x - rooms[v].left, at.y, at.x + rooms[v].right, at.y + rooms[v].height};
    }
    Box box(int v) const
    {
        const Spot at = placement.axis[v];
        const float top = at.y + rooms[v].boxTop;
        return {at.x - rooms[v].boxLeft, top, at.x + rooms[v].boxRight, top + rooms[v].boxHeight};
    }
};

// Returns whether the segment has a point inside the box; borders do not count.
bool cuts(Spot a, Spot b, const Box& box)
{
    float from = 0;
    float to = 1;
    const auto clip = [&](float start, float delta, float low, float high) {
        if (delta == 0)
            return start > low && start < high;
        float t0 = (low - start) / delta;
        float t1 = (high - start) / delta;
        if (t0 > t1)
            std::swap(t0, t1);
        from = std::max(from, t0);
        to = std::min(to, t1);
        return from < to;
    };
    return clip(a.x, b.x - a.x, box.left + 0.01F, box.right - 0.01F) &&
           clip(a.y, b.y - a.y, box.top + 0.01F, box.bottom - 0.01F) && from < to;
}

bool onBorder(Spot s, const Box& box)
{
    return s.x > box.left && s.x < box.right && (s.y == box.top || s.y == box.bottom);
}

} // namespace

TEST_CASE("scopes do not overlap and are inside the drawing", "[layout]")
{
    for (const auto& [name, problem] : sampleProblems()) {
        INFO(name);
        const Drawing drawing(problem);
        for (int v = 0; v < problem.vertices; ++v) {
            const Box a = drawing.room(v);
            CHECK(a.left >= 0);
            CHECK(a.top >= 0);
            CHECK(a.right <= drawing.placement.width);
            CHECK(a.bottom <= drawing.placement.height);
            for (int w = 0; w < v; ++w) {
                const Box b = drawing.room(w);
                const bool apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top ||
                                   b.bottom <= a.top;
                INFO(v << " " << w);
                CHECK(apart);
            }
        }
    }
}

TEST_CASE("routes end on borders and do not cross scopes", "[layout]")
{
    for (const auto& [name, problem] : sampleProblems()) {
        const Drawing drawing(problem);
        for (std::size_t e = 0; e < problem.edges.size(); ++e) {
            const auto route = drawing.placement.route(int(e));
            INFO(name << " edge " << e);
            if (drawing.plan.isCut[e]) {
                CHECK(route.empty());
                continue;
            }
            REQUIRE(route.size() >= 2);
            const Problem::Edge& edge = problem.edges[e];
            CHECK(onBorder(route.front(), drawing.box(edge.from)));
            CHECK(onBorder(route.back(), drawing.box(edge.to)));
            for (int v = 0; v < problem.vertices; ++v)
                for (std::size_t i = 0; i + 1 < route.size(); ++i) {
                    INFO("vertex " << v << " segment " << i);
                    CHECK_FALSE(cuts(route[i], route[i + 1], drawing.box(v)));
                }
        }
    }
}

TEST_CASE("edges that return to the same vertex do not cross each other", "[layout]")
{
    // A vertex leads to each of the others, and each returns by three lanes.
    for (const int others : {1, 2, 3}) {
        INFO(others);
        Problem problem;
        problem.vertices = others + 1;
        for (int lane = 0; lane < 3; ++lane)
            for (int v = 1; v <= others; ++v)
                problem.edges.push_back({.from = v, .to = 0, .lane = lane});
        for (int v = 1; v <= others; ++v)
            problem.edges.push_back({.from = 0, .to = v});
        const Drawing drawing(problem);
        CHECK(testing::drawnCrossings(problem, drawing.placement) == 0);
    }
}

TEST_CASE("edges run with the flow unless they close a loop", "[layout]")
{
    Spacing spacing;
    spacing.foldLongParts = false;
    for (const auto& [name, problem] : sampleProblems()) {
        INFO(name);
        const Drawing drawing(problem, spacing);
        for (std::size_t e = 0; e < problem.edges.size(); ++e) {
            const auto route = drawing.placement.route(int(e));
            if (drawing.plan.isCut[e] || drawing.plan.reversed[e])
                continue;
            for (std::size_t i = 0; i + 1 < route.size(); ++i)
                CHECK(route[i].y <= route[i + 1].y);
        }
    }
}

TEST_CASE("a chain is one straight line", "[layout]")
{
    Spacing spacing;
    spacing.foldLongParts = false;
    const Drawing drawing(testing::residualGraph(6), spacing);
    const Drawing chain(testing::chainGraph(12), spacing);
    for (const Spot& axis : chain.placement.axis)
        CHECK(axis.x == chain.placement.axis[0].x);
    // The longest run of boxes in a residual graph is straight as well: three ops and the sum.
    int bent = 0;
    for (std::size_t e = 0; e < drawing.problem.edges.size(); ++e)
        bent += drawing.placement.route(int(e)).size() > 2;
    CHECK(bent <= 2 * 6);
}

TEST_CASE("a long chain is folded into columns", "[layout]")
{
    const Drawing drawing(testing::chainGraph(80));
    CHECK(drawing.placement.height < 3 * drawing.placement.width);
}

TEST_CASE("one wide rank does not keep a chain from being folded", "[layout]")
{
    // A chain of twenty boxes, with four more side by side at one rank.
    Problem problem = testing::chainGraph(20);
    for (int i = 0; i < 3; ++i) {
        problem.edges.push_back({.from = 9, .to = problem.vertices});
        problem.edges.push_back({.from = problem.vertices, .to = 11});
        ++problem.vertices;
    }
    Spacing spacing;
    spacing.aspect = 1.2F;
    const Drawing drawing(problem, spacing);
    CHECK(drawing.placement.width > 0.6 * drawing.placement.height);
}

TEST_CASE("a chain that fits a view is not folded", "[layout]")
{
    const Drawing drawing(testing::chainGraph(8));
    CHECK(drawing.placement.height > 2 * drawing.placement.width);
}

TEST_CASE("long lines to one vertex are one line on each side of the rest", "[layout]")
{
    Problem problem;
    problem.vertices = 10;
    for (int v = 0; v + 1 < problem.vertices; ++v)
        problem.edges.push_back({.from = v, .to = v + 1, .lane = v});
    const std::size_t chain = problem.edges.size();
    for (int v = 0; v < 6; ++v)
        problem.edges.push_back({.from = v, .to = problem.vertices - 1, .lane = v});
    Spacing spacing;
    spacing.foldLongParts = false;
    const Drawing drawing(problem, spacing);
    std::vector<float> lanes; // at the point where they pass the last box but one
    const float y = drawing.box(problem.vertices - 2).top + 1;
    for (std::size_t e = chain; e < problem.edges.size(); ++e) {
        const auto route = drawing.placement.route(int(e));
        for (std::size_t i = 1; i < route.size(); ++i)
            if (route[i - 1].y <= y && route[i].y > y)
                lanes.push_back(route[i].x);
    }
    CHECK(lanes.size() == 6);
    std::ranges::sort(lanes);
    lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
    CHECK(lanes.size() <= 2);
}

TEST_CASE("unconnected nodes are in a strip below the rest", "[layout]")
{
    Problem problem = testing::chainGraph(6);
    const int chain = problem.vertices;
    problem.vertices += 4;
    for (int v = chain; v < problem.vertices; ++v)
        problem.orphans.push_back(v);
    const Drawing drawing(problem);
    const float bottom = drawing.room(chain - 1).bottom;
    for (int v = chain; v < problem.vertices; ++v)
        CHECK(drawing.room(v).top > bottom);
    problem.vertices = chain;
    problem.orphans.clear();
    CHECK(drawing.placement.width < Drawing(problem).placement.width + 40);
}

TEST_CASE("side parts are a column beside a high picture and a row below a wide one", "[layout]")
{
    Problem high = testing::chainGraph(12);
    const int chain = high.vertices;
    Problem wide;
    for (wide.vertices = 1; wide.vertices <= 12; ++wide.vertices)
        wide.edges.push_back({.from = 0, .to = wide.vertices}); // all in one rank
    for (Problem* problem : {&high, &wide})
        for (int i = 0; i < 3; ++i)
            problem->aside.push_back(problem->vertices++);
    const Drawing column(high);
    const Drawing rows(wide);
    for (int i = 0; i < 3; ++i) {
        CHECK(column.room(chain + i).left > column.room(0).right);
        CHECK(rows.room(wide.aside[std::size_t(i)]).top > rows.room(1).bottom);
    }
    CHECK(column.room(chain + 1).top > column.room(chain).bottom);
    CHECK(rows.room(wide.aside[1]).top == rows.room(wide.aside[0]).top);
    CHECK(rows.room(wide.aside[1]).left > rows.room(wide.aside[0]).right);
    // They are spread as far as possible, because names are wider than boxes.
    const auto gap = [&](int i) {
        return rows.room(wide.aside[std::size_t(i)]).left -
               rows.room(wide.aside[std::size_t(i) - 1]).right;
    };
    CHECK(gap(1) == gap(2));
    CHECK(gap(1) > 100);
    CHECK(rows.room(wide.aside[2]).right <= rows.placement.width);
}

TEST_CASE("the readers of an input come before larger parts", "[layout]")
{
    Problem problem = lapidary::testing::chainGraph(8);
    const int input = problem.vertices;
    problem.vertices += 2;
    problem.edges.push_back({.from = input, .to = input + 1});
    problem.first = {input};
    const Drawing drawing(problem);
    const Box first = drawing.box(input);
    const Box other = drawing.box(0);
    CHECK((first.right < other.left || first.bottom < other.top));
}

TEST_CASE("an input that nothing reads is at the top beside the others", "[layout]")
{
    Problem problem = testing::chainGraph(6);
    problem.first = {0, problem.vertices};
    ++problem.vertices;
    Spacing spacing;
    spacing.aspect = 0.5F;
    const Drawing drawing(problem, spacing);
    CHECK(drawing.room(problem.vertices - 1).top == drawing.room(0).top);
}

TEST_CASE("fixed ends are where they were asked for", "[layout]")
{
    Problem problem = testing::chainGraph(3);
    const Plan plan = makePlan(problem, {}, Job{}).value();
    const std::vector<Room> rooms(3, roomOf(1));
    std::vector<Ends> ends(2);
    ends[0].to = 20;
    ends[1].from = -12;
    const Placement placed = place(problem, plan, rooms, ends, {}, Job{}).value();
    CHECK(placed.route(0).back().x == placed.axis[1].x + 20);
    CHECK(placed.route(1).front().x == placed.axis[1].x - 12);
}
