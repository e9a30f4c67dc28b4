// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/small_graph.h"

#include <stop_token>

namespace lapidary {
namespace {

NodeAttrs frame(const std::string& name, bool isConstant = false)
{
    return {{"frame_name", attr::fromString(name)}, {"is_constant", attr::fromBool(isConstant)}};
}

// while (v < limit) v = body(v), starting with v = `start`. Inside, the value is NAME/v and that of
// the next iteration `body`; the result is NAME.
void addLoop(SmallGraph& graph, const std::string& name, const std::string& start,
             const std::string& limit, const std::string& body)
{
    graph.node(name + "/start", "Enter", {start}, frame(name))
        .node(name + "/limit", "Enter", {limit}, frame(name, true))
        .node(name + "/merge", "Merge", {name + "/start", name + "/next"},
              {{"N", attr::fromInt(2)}})
        .node(name + "/less", "Less", {name + "/merge", name + "/limit"})
        .node(name + "/cond", "LoopCond", {name + "/less"})
        .node(name + "/switch", "Switch", {name + "/merge", name + "/cond"})
        .node(name + "/v", "Identity", {name + "/switch:1"})
        .node(name + "/next", "NextIteration", {body})
        .node(name, "Exit", {name + "/switch"});
}

// v += step, in loop `name`.
void addStep(SmallGraph& graph, const std::string& name, const std::string& step)
{
    graph.node(name + "/step", "Enter", {step}, frame(name, true))
        .node(name + "/sum", "Add", {name + "/v", name + "/step"});
}

SmallGraph counting()
{
    SmallGraph graph;
    for (const char* name : {"x", "n", "step"})
        graph.input(name, DType::Float);
    addLoop(graph, "loop", "x", "n", "loop/sum");
    addStep(graph, "loop", "step");
    return graph;
}

SmallGraph::Feeds fedInts(float x, float n, float step = 1)
{
    return {{"x", scalarOf(x)}, {"n", scalarOf(n)}, {"step", scalarOf(step)}};
}

TEST_CASE("a loop turns until its condition fails, or not at all", "[control][loops]")
{
    SmallGraph graph = counting();
    CHECK(heldBy<float>(graph.run("loop", fedInts(0, 13))) == holds<float>({13}));
    CHECK(heldBy<float>(graph.run("loop", fedInts(1, 10, 4))) == holds<float>({13}));
    CHECK(heldBy<float>(graph.run("loop", fedInts(5, 5))) == holds<float>({5}));
    CHECK(heldBy<float>(graph.run("loop", fedInts(0, 2000))) == holds<float>({2000}));
}

TEST_CASE("a loop in a loop starts anew in each turn of the outer one", "[control][loops]")
{
    SmallGraph graph;
    for (const char* name : {"x", "n", "step", "three"})
        graph.input(name, DType::Float);
    addLoop(graph, "outer", "x", "n", "inner");
    graph.node("outer/three", "Enter", {"three"}, frame("outer", true))
        .node("outer/end", "Add", {"outer/v", "outer/three"})
        .node("outer/step", "Enter", {"step"}, frame("outer", true));
    addLoop(graph, "inner", "outer/v", "outer/end", "inner/sum");
    addStep(graph, "inner", "outer/step");
    const auto outer = [&](float x, float step) {
        SmallGraph::Feeds feeds = fedInts(x, 10, step);
        feeds.emplace_back("three", scalarOf(3.0F));
        return heldBy<float>(graph.run("outer", feeds));
    };
    CHECK(outer(0, 1) == holds<float>({12})); // 3, 6, 9, 12
    CHECK(outer(0, 2) == holds<float>({12})); // 4, 8, 12
    CHECK(outer(0, 5) == holds<float>({10}));
    CHECK(outer(20, 1) == holds<float>({20}));
}

TEST_CASE("a loop in a branch that is not taken is dead and ends", "[control][loops]")
{
    SmallGraph graph;
    graph.input("x", DType::Float).input("n", DType::Float).input("step", DType::Float);
    graph.input("p", DType::Bool).node("s", "Switch", {"x", "p"});
    addLoop(graph, "loop", "s:1", "n", "loop/sum");
    addStep(graph, "loop", "step");
    graph.node("m", "Merge", {"s", "loop"}, {{"N", attr::fromInt(2)}});
    SmallGraph::Feeds feeds = fedInts(2, 9);
    feeds.emplace_back("p", scalarOf(true));
    CHECK(heldBy<float>(graph.run("m", feeds)) == holds<float>({9}));
    feeds.back().second = scalarOf(false);
    CHECK(heldBy<float>(graph.run("m", feeds)) == holds<float>({2}));
    CHECK(graph.fault("loop", feeds).starts_with("loop: "));
}

TEST_CASE("an endless loop is cancelled, and the next run is right", "[control][loops]")
{
    SmallGraph graph = counting();
    CHECK(heldBy<float>(graph.run("loop", fedInts(0, 3))) == holds<float>({3}));
    std::stop_source stop;
    int turns = 0;
    const auto endless =
        graph.session().run({.feeds = fedInts(0, 1, 0), .fetches = {"loop"}}, Job(stop.get_token()),
                            [&](const NodeRun& run, std::span<const Value>) {
                                if (run.definition->name() == "loop/sum" && ++turns == 100)
                                    stop.request_stop();
                            });
    REQUIRE_FALSE(endless.ok());
    CHECK(endless.error().code == ErrorCode::Cancelled);
    CHECK(turns < 110);
    CHECK(heldBy<float>(graph.run("loop", fedInts(0, 4))) == holds<float>({4}));
}

TEST_CASE("an error in the body of a loop names its node", "[control][loops]")
{
    SmallGraph graph = counting();
    const SmallGraph::Feeds feeds{
        {"x", scalarOf(0.0F)}, {"n", scalarOf(5.0F)}, {"step", valueOf<float>({0}, {})}};
    const std::string fault = graph.fault("loop", feeds);
    CHECK(fault.find("loop/") == 0); // the sum has no elements, so it is not a condition
    const auto wrong = graph.fault(
        "loop",
        {{"x", valueOf<float>({2}, {0, 1})}, {"n", scalarOf(5.0F)}, {"step", scalarOf(1.0F)}});
    CHECK(wrong.find("loop/") == 0);
}

} // namespace
} // namespace lapidary
