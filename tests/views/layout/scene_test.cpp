// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/views/layout/scene_testing.h"
#include "views/layout/scene.h"
#include "views/layout/scene_json.h"

#include <algorithm>
#include <cmath>
#include <stop_token>

#include <nlohmann/json.hpp>

using namespace lapidary;
using lapidary::testing::plainMeasure;
using lapidary::testing::TestView;
using lapidary::testing::viewOf;

namespace {

// Three scopes in a row with a skip past the second, and weights in each.
GraphPtr threeScopes()
{
    return graph("x = Placeholder()\n"
                 "a/w = Const()\n"
                 "a/conv = Conv2D(x, a/w)\n"
                 "a/relu = Relu(a/conv)\n"
                 "b/w = Const()\n"
                 "b/conv = Conv2D(a/relu, b/w)\n"
                 "b/inner/relu = Relu(b/conv)\n"
                 "b/inner/abs = Abs(b/inner/relu)\n"
                 "b/add = Add(b/inner/abs, a/relu)\n"
                 "c/sum = Add(a/relu, b/add)\n"
                 "c/soft = Softmax(c/sum)\n"
                 "c/done = Identity(c/soft, ^b/inner/relu)\n");
}

ScopeOptions namesOnly()
{
    ScopeOptions options;
    options.structure = false;
    options.series = false;
    return options;
}

PrepareOptions unfolded(std::uint32_t hubDegree)
{
    PrepareOptions options;
    options.fold = false;
    options.hubDegree = hubDegree;
    return options;
}

const SceneBox& boxNamed(const Scene& scene, std::string_view title)
{
    const auto box = std::ranges::find(scene.boxes, title, &SceneBox::title);
    REQUIRE(box != scene.boxes.end());
    return *box;
}

std::vector<std::string> topToBottom(const Scene& scene)
{
    std::vector<const SceneBox*> boxes;
    for (const SceneBox& box : scene.boxes)
        if (box.parent < 0)
            boxes.push_back(&box);
    std::ranges::sort(boxes, {}, [](const SceneBox* b) { return std::pair(b->rect.y, b->rect.x); });
    std::vector<std::string> titles;
    for (const SceneBox* box : boxes)
        titles.push_back(box->title);
    return titles;
}

} // namespace

TEST_CASE("a collapsed scene shows groups from top to bottom", "[layout][scene]")
{
    const TestView view = viewOf(threeScopes(), namesOnly());
    const ScenePtr scene = view.build({});
    CHECK(topToBottom(*scene) == std::vector<std::string>{"x", "a", "b", "c"});
    CHECK(boxNamed(*scene, "b").kind == BoxKind::Group);
    CHECK(boxNamed(*scene, "b").subtitle.starts_with("5 ops"));
    CHECK(scenePictureFaults(*scene).empty());
}

TEST_CASE("opening a group keeps the order and moves the rest no more than it grows",
          "[layout][scene]")
{
    const TestView view = viewOf(threeScopes(), namesOnly());
    const ScenePtr before = view.build({});
    const ScenePtr after = view.build({view.tree().find("b")});
    CHECK(topToBottom(*after) == topToBottom(*before));
    const Rect closed = boxNamed(*before, "b").rect;
    const Rect open = boxNamed(*after, "b").rect;
    const float growth = std::hypot(open.w - closed.w, open.h - closed.h);
    for (const char* title : {"x", "a", "c"}) {
        const Rect was = boxNamed(*before, title).rect;
        const Rect is = boxNamed(*after, title).rect;
        CHECK(std::hypot(is.x - was.x, is.y - was.y) <= growth);
    }
    const ScenePtr again = view.build({});
    CHECK(again->boxes.size() == before->boxes.size());
    for (std::size_t b = 0; b < again->boxes.size(); ++b)
        CHECK(again->boxes[b].rect == before->boxes[b].rect);
}

TEST_CASE("pieces of an edge meet at the border of the open group", "[layout][scene]")
{
    const TestView view = viewOf(threeScopes(), namesOnly());
    const ScenePtr scene = view.build({view.tree().find("b")});
    CHECK(scenePictureFaults(*scene).empty());
    const auto group = std::int32_t(&boxNamed(*scene, "b") - scene->boxes.data());
    int pieces = 0;
    for (const SceneEdge& inner : scene->edges) {
        if (inner.from != group)
            continue;
        ++pieces;
        const bool meets = std::ranges::any_of(scene->edges, [&](const SceneEdge& outer) {
            return outer.to == group && scene->route(outer).back() == scene->route(inner).front();
        });
        CHECK(meets);
    }
    CHECK(pieces > 0);
}

TEST_CASE("every graph edge is carried by a line once everything is open", "[layout][scene]")
{
    const TestView view = viewOf(threeScopes(), namesOnly(), unfolded(0));
    const ScenePtr scene = view.build(view.everyGroup());
    std::set<std::pair<std::uint32_t, std::uint32_t>> carried;
    for (const GraphEdge& link : scene->links)
        carried.emplace(link.reader.value, link.slot);
    CHECK(carried.size() == view.preparation->graph().edgeCount());
}

TEST_CASE("a folded constant is a chip beside its consumer", "[layout][scene]")
{
    const TestView view = viewOf(threeScopes(), namesOnly());
    const ScenePtr scene = view.build(view.everyGroup());
    const auto chip = std::ranges::find(scene->boxes, BoxKind::Chip, &SceneBox::kind);
    REQUIRE(chip != scene->boxes.end());
    const SceneBox& consumer = scene->boxes[chip->parent];
    CHECK(consumer.kind == BoxKind::Op);
    CHECK(chip->rect.x >= consumer.rect.right());
}

TEST_CASE("edges of a hub are stubs, few at a box", "[layout][scene]")
{
    std::string text = "hub = Placeholder()\n";
    for (int i = 0; i < 70; ++i) {
        const std::string n = std::to_string(i);
        text += "a" + n + " = Abs(hub)\nb" + n + " = Neg(a" + n + ", ^hub)\n";
    }
    const TestView view = viewOf(graph(text), namesOnly(), unfolded(50));
    const ScenePtr scene = view.build({});
    CHECK(scenePictureFaults(*scene).empty());
    const auto stubs = std::ranges::count(scene->boxes, BoxKind::Stub, &SceneBox::kind);
    CHECK(stubs >= 70);
    const std::int32_t hub = std::int32_t(scene->boxOf.at(ItemId::of(NodeId{0})));
    std::set<std::int32_t> atHub;
    for (const SceneEdge& edge : scene->edges)
        if (edge.from == hub)
            atHub.insert(edge.to);
    CHECK(atHub.size() <= 3);
}

TEST_CASE("a scene is deterministic", "[layout][scene]")
{
    const TestView one = viewOf(threeScopes(), namesOnly());
    const TestView other = viewOf(threeScopes(), namesOnly());
    const ScenePtr a = one.build(one.everyGroup());
    other.build({});
    const ScenePtr b = other.build(other.everyGroup());
    REQUIRE(a->boxes.size() == b->boxes.size());
    for (std::size_t i = 0; i < a->boxes.size(); ++i)
        CHECK(a->boxes[i].rect == b->boxes[i].rect);
    CHECK(a->points == b->points);
}

TEST_CASE("an empty graph gives an empty scene", "[layout][scene]")
{
    const TestView view = viewOf(graph(""));
    const ScenePtr scene = view.build({});
    CHECK(scene->boxes.empty());
    CHECK(scenePictureFaults(*scene).empty());
}

TEST_CASE("a node that reads itself is drawn", "[layout][scene]")
{
    const TestView view = viewOf(graph("x = Placeholder()\ny = Add(x, y)\n"), namesOnly());
    const ScenePtr scene = view.build({});
    CHECK(scenePictureFaults(*scene).empty());
    CHECK(scene->links.size() >= 2);
}

TEST_CASE("an input shows the largest of the tensors that the network reads", "[layout][scene]")
{
    const GraphPtr g = graph("names = Const()\n"
                             "q = QueueDequeueManyV2(names)\n"
                             "y = Relu(q:1)\n"
                             "z = Add(y, q:2)\n"
                             "loss = Sub(z, q:3)\n");
    auto parts = std::make_shared<NodeParts>();
    parts->of.assign(g->size(), Part::Network);
    parts->of[g->find("loss").value] = Part::Loss;
    ScopeOptions scopes = namesOnly();
    scopes.parts = parts;
    const TestView view = viewOf(g, scopes);
    const DescribeEdge describe = [](const Graph&, Endpoint from) {
        return EdgeFace{"tensor " + std::to_string(from.port), double(from.port), false};
    };
    SceneBuilder builder(view.preparation, plainMeasure(), describe);
    SceneOptions options;
    options.inputs = {g->find("q")};
    options.outputs = {g->find("z")};
    const ScenePtr scene = builder.build({}, options, Job{}).value();
    const auto box = [&](const char* name) {
        return scene->boxes[scene->boxOf.at(ItemId::of(g->find(name)))];
    };
    CHECK(box("q").subtitle == "tensor 2 +1");
    CHECK(box("z").subtitle == "tensor 0");
}

TEST_CASE("a cancelled scene is an error", "[layout][scene]")
{
    const TestView view = viewOf(threeScopes(), namesOnly());
    std::stop_source source;
    source.request_stop();
    const auto scene = view.builder->build({}, {}, Job(source.get_token()));
    REQUIRE_FALSE(scene.ok());
    CHECK(scene.error().code == ErrorCode::Cancelled);
}

TEST_CASE("the text form of a scene is JSON with its boxes, edges and labels", "[layout][scene]")
{
    const TestView view = viewOf(threeScopes(), namesOnly());
    const ScenePtr scene = view.build({view.tree().find("b")});
    const std::string text = sceneJson(*scene, view.preparation->graph(), view.tree(),
                                       {{0, 0, 100, 50}, 2, {"x"}, {"y", "z"}, {"conv \"1\""}});
    const auto json = nlohmann::json::parse(text);
    CHECK(json["boxes"].size() == scene->boxes.size());
    CHECK(json["edges"].size() == scene->edges.size());
    CHECK(json["view"]["scale"] == 2);
    CHECK(json["inputs"] == nlohmann::json({"x"}));
    CHECK(json["outputs"] == nlohmann::json({"y", "z"}));
    CHECK(json["strip"] == nlohmann::json({"conv \"1\""}));
    CHECK(json["faults"].empty());
    CHECK(json["boxes"][0]["node"] == "x");
    const auto open = std::ranges::count_if(
        json["boxes"], [](const nlohmann::json& box) { return box["open"] == true; });
    CHECK(open == 1);
}

TEST_CASE("picture faults are found", "[layout][scene]")
{
    const TestView view = viewOf(threeScopes(), namesOnly());
    Scene scene = *view.build({});
    Scene overlap = scene;
    overlap.boxes[1].rect = overlap.boxes[0].rect;
    CHECK_FALSE(scenePictureFaults(overlap).empty());
    Scene loose = scene;
    loose.points[loose.edges[0].firstPoint].y += 3;
    CHECK_FALSE(scenePictureFaults(loose).empty());
    Scene covered = scene;
    covered.edges[0].labelRect = covered.boxes[0].rect;
    CHECK_FALSE(scenePictureFaults(covered).empty());
}

TEST_CASE("long names are cut in the middle and keep their end", "[layout][scene]")
{
    const MeasureText measure = plainMeasure();
    const std::string cut =
        elideMiddle("resnet_v1_50/block1/unit_1/conv2", 100, TextRole::Name, measure);
    CHECK(measure(cut, TextRole::Name) <= 100);
    CHECK(cut.find("…") != std::string::npos);
    CHECK(cut.ends_with("conv2"));
    CHECK(elideMiddle("short", 100, TextRole::Name, measure) == "short");
    const std::string wide = elideMiddle(std::string(20'000, 'x'), 100, TextRole::Name, measure);
    CHECK(measure(wide, TextRole::Name) <= 100);
    std::string accents;
    for (int i = 0; i < 50; ++i)
        accents += "é";
    const std::string whole = elideMiddle(accents, 60, TextRole::Name, measure);
    CHECK((whole.size() - 3) % 2 == 0); // no letter is cut
}

TEST_CASE("a stack of repeats has space for all its words", "[layout][scene]")
{
    std::string text = "x = Placeholder()\n";
    std::string last = "x";
    for (int i = 0; i < 5; ++i) {
        const std::string block = "block_" + std::to_string(i);
        text += block + "/w = Const()\n" + block + "/conv = Conv2D(" + last + ", " + block +
                "/w)\n" + block + "/relu = Relu(" + block + "/conv)\n";
        last = block + "/relu";
    }
    const TestView view = viewOf(graph(text));
    const ScenePtr scene = view.build({});
    const auto stack =
        std::ranges::find_if(scene->boxes, [](const SceneBox& box) { return box.repeats > 1; });
    REQUIRE(stack != scene->boxes.end());
    const MeasureText measure = plainMeasure();
    const float badge = measure("×" + std::to_string(stack->repeats), TextRole::Heading);
    CHECK(stack->subtitle.find("…") == std::string::npos);
    CHECK(stack->rect.w >= measure(stack->subtitle, TextRole::Muted) + badge + 36);
}
