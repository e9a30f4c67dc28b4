// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/small_graph.h"

#include <limits>

namespace lapidary {
namespace {

SmallGraph switched()
{
    SmallGraph graph;
    graph.input("x", DType::Float)
        .input("p", DType::Bool)
        .node("s", "Switch", {"x", "p"})
        .node("no", "Neg", {"s:0"})
        .node("yes", "Square", {"s:1"});
    return graph;
}

SmallGraph::Feeds fed(float x, bool p)
{
    return {{"x", scalarOf(x)}, {"p", scalarOf(p)}};
}

TEST_CASE("Merge gives the live input and its position", "[control]")
{
    SmallGraph graph = switched();
    graph.node("m", "Merge", {"no", "yes"}, {{"N", attr::fromInt(2)}});
    CHECK(heldBy<float>(graph.run("m", fed(3, true))) == holds<float>({9}));
    CHECK(heldBy<std::int32_t>(graph.run("m:1", fed(3, true))) == holds<std::int32_t>({1}));
    CHECK(heldBy<float>(graph.run("m", fed(3, false))) == holds<float>({-3}));
    CHECK(heldBy<std::int32_t>(graph.run("m:1", fed(3, false))) == holds<std::int32_t>({0}));
}

TEST_CASE("nodes that read a dead value, or wait for it, are dead", "[control]")
{
    SmallGraph graph = switched();
    graph.node("after", "Identity", {"x", "^yes"})
        .node("both", "Add", {"no", "yes"})
        .node("m", "Merge", {"both", "after"}, {{"N", attr::fromInt(2)}});
    CHECK(heldBy<float>(graph.run("after", fed(3, true))) == holds<float>({3}));
    CHECK(graph.fault("after", fed(3, false)).starts_with("after: "));
    CHECK(graph.fault("both", fed(3, true)).starts_with("both: "));
    CHECK(graph.fault("both", fed(3, false)).starts_with("both: "));
    CHECK(heldBy<float>(graph.run("m", fed(3, true))) == holds<float>({3}));
    CHECK(graph.fault("m", fed(3, false)).starts_with("m: ")); // both inputs are dead
}

TEST_CASE("ControlTrigger runs even where what it waits for is dead", "[control]")
{
    SmallGraph graph = switched();
    graph.node("trigger", "ControlTrigger", {"^no", "^yes"})
        .node("after", "Identity", {"x", "^trigger"});
    for (const bool p : {false, true})
        CHECK(heldBy<float>(graph.run("after", fed(7, p))) == holds<float>({7}));
}

TEST_CASE("an output index out of range is the last output", "[control]")
{
    SmallGraph graph;
    graph.input("x", DType::Float).input("i", DType::Int32);
    graph.node("s", "_SwitchN", {"x", "i"},
               {{"num_outs", attr::fromInt(3)}, {"T", attr::fromType(DType::Float)}});
    constexpr auto lowest = std::numeric_limits<std::int32_t>::min();
    for (const auto& [index, live] :
         {std::pair(0, "s"), std::pair(1, "s:1"), std::pair(2, "s:2"), std::pair(3, "s:2"),
          std::pair(-1, "s:2"), std::pair(int(lowest), "s:2")}) {
        INFO(index);
        const SmallGraph::Feeds feeds{{"x", scalarOf(5.0F)}, {"i", scalarOf<std::int32_t>(index)}};
        CHECK(heldBy<float>(graph.run(live, feeds)) == holds<float>({5}));
        if (index != 0)
            CHECK_FALSE(graph.run("s", feeds).ok());
    }
    CHECK(graph.fault("s", {{"x", scalarOf(5.0F)}, {"i", valueOf<std::int32_t>({1}, {0})}})
              .starts_with("s: "));
}

TEST_CASE("a predicate that is not a bool scalar is refused by name", "[control]")
{
    SmallGraph graph = switched();
    CHECK(graph.fault("yes", {{"x", scalarOf(1.0F)}, {"p", valueOf<bool>({1}, {true})}})
              .starts_with("s: "));
    CHECK_FALSE(
        graph.fault("yes", {{"x", scalarOf(1.0F)}, {"p", scalarOf<std::int32_t>(1)}}).empty());
}

TEST_CASE("empty values choose and merge as others do", "[control]")
{
    SmallGraph graph = switched();
    graph.node("m", "Merge", {"no", "yes"}, {{"N", attr::fromInt(2)}});
    const auto empty =
        graph.run("m", {{"x", emptyValue(DType::Float, {0, 13})}, {"p", scalarOf(true)}});
    REQUIRE(empty.ok());
    CHECK(empty->dims() == Dims{0, 13});
}

} // namespace
} // namespace lapidary
