// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/views/canvas/scene_testing.h"
#include "views/canvas/paint/scene_index.h"

#include <algorithm>
#include <random>

using namespace lapidary;

TEST_CASE("the index finds what a scan finds", "[canvas]")
{
    const ScenePtr scene = gridScene(40, 30);
    const SceneIndex index(*scene);
    std::mt19937 random(1);
    for (int trial = 0; trial < 50; ++trial) {
        const Rect area{float(random() % 6000), float(random() % 2000), float(random() % 900),
                        float(random() % 900)};
        std::vector<std::uint32_t> wanted;
        for (std::uint32_t i = 0; i < scene->boxes.size(); ++i) {
            const Rect& r = scene->boxes[i].rect;
            if (r.x <= area.right() && area.x <= r.right() && r.y <= area.bottom() &&
                area.y <= r.bottom())
                wanted.push_back(i);
        }
        CHECK(index.boxesIn(area) == wanted);
        const auto edges = index.edgesIn(area);
        CHECK(std::ranges::is_sorted(edges));
    }
}

TEST_CASE("the innermost box is under the pointer", "[canvas]")
{
    const ScenePtr scene = residualScene();
    const SceneIndex index(*scene);
    const auto titleAt = [&](Point p) {
        const std::int32_t i = index.boxAt(p);
        return i < 0 ? std::string() : scene->boxes[std::size_t(i)].title;
    };
    CHECK(titleAt({400, 300}) == "conv1/Conv2D");
    CHECK(titleAt({20, 400}) == "block1");
    CHECK(titleAt({-100, -100}).empty());
}

TEST_CASE("an edge is found near its line only", "[canvas]")
{
    const ScenePtr scene = residualScene();
    const SceneIndex index(*scene);
    const std::int32_t edge = index.edgeAt({282, 50}, 5);
    REQUIRE(edge >= 0);
    CHECK(scene->edges[std::size_t(edge)].label == "1\u00D7224\u00D7224\u00D73");
    CHECK(index.edgeAt({300, 50}, 5) == -1);
}

TEST_CASE("an empty scene has an index", "[canvas]")
{
    const Scene scene;
    const SceneIndex index(scene);
    CHECK(index.boxesIn({0, 0, 1e6F, 1e6F}).empty());
    CHECK(index.boxAt({0, 0}) == -1);
    CHECK(index.edgeAt({0, 0}, 10) == -1);
}
