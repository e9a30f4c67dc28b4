// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/views/layout/scene_testing.h"

#include <algorithm>

namespace lapidary::testing {
namespace {

constexpr const char* loop = R"(n = Placeholder()
x = Placeholder()
while/Enter = Enter(n)
while/Enter_1 = Enter(x)
while/Merge = Merge(while/Enter, while/NextIteration)
while/Merge_1 = Merge(while/Enter_1, while/NextIteration_1)
while/Greater = Greater(while/Merge, while/Merge_1)
while/LoopCond = LoopCond(while/Greater)
while/Switch = Switch(while/Merge, while/LoopCond)
while/Switch_1 = Switch(while/Merge_1, while/LoopCond)
while/Tanh = Tanh(while/Switch:1)
while/Relu = Relu(while/Switch_1:1)
while/NextIteration = NextIteration(while/Tanh)
while/NextIteration_1 = NextIteration(while/Relu)
while/Exit = Exit(while/Switch)
y = Neg(while/Exit))";

const SceneBox& boxOf(const TestView& view, const Scene& scene, const char* name)
{
    const NodeId id = view.preparation->graph().find(name);
    REQUIRE(scene.boxOf.contains(ItemId::of(id)));
    return scene.boxes[scene.boxOf.at(ItemId::of(id))];
}

} // namespace

TEST_CASE("a closed loop says when it ends", "[layout][loops]")
{
    const TestView view = viewOf(graph(loop));
    const ScenePtr scene = view.build({}, {});
    const auto box = std::ranges::find(scene->boxes, BoxKind::Group, &SceneBox::kind);
    REQUIRE(box != scene->boxes.end());
    CHECK(box->title == "while");
    CHECK(box->subtitle == "until n ≤ x");
    CHECK(std::ranges::none_of(scene->edges, &SceneEdge::isBack));
}

TEST_CASE("an open loop has its values on its frame, and lines back", "[layout][loops]")
{
    const TestView view = viewOf(graph(loop));
    const ScenePtr scene = view.build(view.everyGroup(), {});
    const SceneBox& above = boxOf(view, *scene, "while/Merge_1");
    const SceneBox& below = boxOf(view, *scene, "while/NextIteration_1");
    CHECK(above.isPort);
    CHECK(above.title == "x");
    CHECK(below.isPort);
    CHECK(below.subtitle == "next turn");
    CHECK(boxOf(view, *scene, "while/Greater").title == "until n ≤ x");
    CHECK_FALSE(boxOf(view, *scene, "while/Relu").isPort);
    CHECK(std::ranges::count_if(scene->edges, &SceneEdge::isBack) == 2);
    for (const SceneBox& box : scene->boxes) {
        if (box.kind != BoxKind::Op || box.parent < 0)
            continue;
        CHECK(box.rect.y >= above.rect.y);
        CHECK(box.rect.y <= below.rect.y);
    }
}

TEST_CASE("the plumbing of an open loop can be drawn", "[layout][loops]")
{
    PrepareOptions options;
    options.loops = false;
    const TestView view = viewOf(graph(loop), {}, options);
    const ScenePtr scene = view.build(view.everyGroup(), {});
    CHECK_FALSE(boxOf(view, *scene, "while/Merge").isPort);
    CHECK(boxOf(view, *scene, "while/Switch_1").subtitle == "Switch");
}

} // namespace lapidary::testing
