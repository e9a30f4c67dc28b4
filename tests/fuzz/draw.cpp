// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/draw.h"

#include "app/document/picture/graph_view.h"
#include "tests/catch.h"

#include <cmath>

namespace lapidary::fuzz {
namespace {

constexpr std::size_t small = 2000; // nodes; larger graphs are not drawn with everything open

void checkScene(const Scene& scene)
{
    for (const SceneBox& box : scene.boxes) {
        CHECK((std::isfinite(box.rect.x) && std::isfinite(box.rect.y)));
        CHECK((box.rect.w >= 0 && box.rect.h >= 0));
    }
    for (const SceneEdge& edge : scene.edges)
        CHECK(edge.firstPoint + edge.pointCount <= scene.points.size());
}

} // namespace

void draw(const GraphPtr& graph)
{
    const MeasureText measure = [](std::string_view text, TextRole) {
        return 7.0F * float(text.size());
    };
    const auto view = GraphView::make(graph, {}, measure, Job());
    REQUIRE(view.ok());
    const auto first = (*view)->build((*view)->firstOpen(), {}, Job());
    REQUIRE(first.ok());
    checkScene(**first);
    if (graph->size() > small)
        return;
    const auto all = (*view)->build((*view)->everyGroup(), {}, Job());
    REQUIRE(all.ok());
    checkScene(**all);
}

} // namespace lapidary::fuzz
