// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/small_graph.h"

#include <algorithm>

namespace lapidary {
namespace {

using FloatRow = std::vector<float>;

SmallGraph queue(const std::string& op, std::int64_t capacity, const NodeAttrs& more = {})
{
    const std::string floats = typesAttr({DType::Float});
    NodeAttrs attrs{{"component_types", floats}, {"capacity", attr::fromInt(capacity)}};
    attrs.insert(attrs.end(), more.begin(), more.end());
    SmallGraph g;
    g.input("x", DType::Float).input("n", DType::Int32);
    g.node("q", op, {}, attrs);
    g.node("put", "QueueEnqueueV2", {"q", "x"}, {{"Tcomponents", floats}});
    g.node("putMany", "QueueEnqueueManyV2", {"q", "x"}, {{"Tcomponents", floats}});
    g.node("take", "QueueDequeueV2", {"q"}, {{"component_types", floats}});
    g.node("takeMany", "QueueDequeueManyV2", {"q", "n"}, {{"component_types", floats}});
    g.node("takeUpTo", "QueueDequeueUpToV2", {"q", "n"}, {{"component_types", floats}});
    g.node("close", "QueueCloseV2", {"q"});
    g.node("isClosed", "QueueIsClosedV2", {"q"});
    g.node("size", "QueueSizeV2", {"q"});
    return g;
}

SmallGraph::Feeds x(const FloatRow& numbers)
{
    return {{"x", valueOf<float>({std::int64_t(numbers.size())}, numbers)}};
}

SmallGraph::Feeds n(std::int32_t count)
{
    return {{"n", scalarOf(count)}};
}

} // namespace

TEST_CASE("a FIFO queue gives back what was put in, in order", "[kernels][queues]")
{
    SmallGraph g = queue("FIFOQueueV2", 5);
    CHECK(g.fault("take").starts_with("take: "));
    REQUIRE(g.fault("putMany", x({1, 2, 3, 4})).empty());
    CHECK(heldBy<std::int32_t>(g.run("size")) == holds<std::int32_t>({4}));
    CHECK(heldBy<float>(g.run("take")) == holds<float>({1}));
    CHECK(heldBy<float>(g.run("takeMany", n(2))) == holds<float>({2, 3}));
    CHECK(g.fault("takeMany", n(2)).starts_with("takeMany: "));
    CHECK(g.fault("takeMany", n(-1)).starts_with("takeMany: "));
    REQUIRE(g.fault("putMany", x({5, 6, 7, 8})).empty());
    CHECK(g.fault("putMany", x({9, 10})).starts_with("putMany: ")); // the queue is full
    CHECK(heldBy<bool>(g.run("isClosed")) == holds<bool>({false}));
    REQUIRE(g.fault("close").empty());
    CHECK(heldBy<bool>(g.run("isClosed")) == holds<bool>({true}));
    CHECK(g.fault("putMany", x({1})).starts_with("putMany: "));
    const auto rest = g.run("takeUpTo", n(100));
    REQUIRE(rest.ok());
    CHECK(rest->elements() >= 4);
    CHECK(g.fault("take").starts_with("take: "));
}

TEST_CASE("a shuffling queue loses nothing", "[kernels][queues]")
{
    const NodeAttrs seeds{{"seed", attr::fromInt(7)}, {"seed2", attr::fromInt(8)}};
    FloatRow all;
    for (int i = 0; i < 127; ++i)
        all.push_back(float(i));
    std::vector<FloatRow> orders;
    for (int turn = 0; turn < 2; ++turn) {
        SmallGraph g = queue("RandomShuffleQueueV2", 1000, seeds);
        REQUIRE(g.fault("putMany", x(all)).empty());
        const auto taken = g.run("takeMany", n(127));
        REQUIRE(taken.ok());
        orders.push_back(elementsOf<float>(*taken));
    }
    CHECK(orders[0] == orders[1]); // seeded
    CHECK(orders[0] != all);
    std::ranges::sort(orders[0]);
    CHECK(orders[0] == all);
}

TEST_CASE("a queue of fixed shapes refuses others", "[kernels][queues]")
{
    // ListValue.shape = 7 with a dim of 2.
    const std::string shapes("\x0a\x06\x3a\x04\x12\x02\x08\x02", 8);
    SmallGraph g = queue("FIFOQueueV2", -1, {{"shapes", shapes}});
    CHECK(g.fault("put", x({1, 2})).empty());
    CHECK(g.fault("put", x({1, 2, 3})).starts_with("put: "));
    CHECK(g.fault("put", {{"x", scalarOf(1.0F)}}).starts_with("put: "));
}

TEST_CASE("a padding queue fills up to the longest", "[kernels][queues]")
{
    // ListValue.shape = 7 with a dim of -1.
    const std::string shapes("\x0a\x0f\x3a\x0d\x12\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
                             17);
    SmallGraph g = queue("PaddingFIFOQueueV2", -1, {{"shapes", shapes}});
    for (const FloatRow& row : {FloatRow{1}, FloatRow{2, 3, 4}, FloatRow{5, 6}})
        REQUIRE(g.fault("put", x(row)).empty());
    const auto taken = g.run("takeMany", n(3));
    INFO((taken ? "" : taken.error().message));
    REQUIRE(taken.ok());
    CHECK(taken->dims() == Dims{3, 3});
    CHECK(elementsOf<float>(*taken) == FloatRow{1, 0, 0, 2, 3, 4, 5, 6, 0});
}

TEST_CASE("a stack gives back the newest first", "[kernels][queues]")
{
    SmallGraph g;
    const NodeAttrs floats{{"T", attr::fromType(DType::Float)}};
    const NodeAttrs elements{{"elem_type", attr::fromType(DType::Float)}};
    g.input("max", DType::Int32).input("a", DType::Float).input("b", DType::Float);
    g.node("s", "StackV2", {"max"}, elements);
    g.node("one", "StackPushV2", {"s", "a"}, floats);
    g.node("two", "StackPushV2", {"s", "b", "^one"}, floats);
    g.node("top", "StackPopV2", {"s", "^two"}, elements);
    g.node("below", "StackPopV2", {"s", "^top"}, elements);
    g.node("none", "StackPopV2", {"s", "^below"}, elements);
    const auto feeds = [](std::int32_t most) {
        return SmallGraph::Feeds{
            {"max", scalarOf(most)}, {"a", scalarOf(1.0F)}, {"b", scalarOf(2.0F)}};
    };
    const auto both = g.runAll({"top", "below"}, feeds(-1));
    REQUIRE(both.ok());
    CHECK(elementsOf<float>((*both)[0]) == FloatRow{2});
    CHECK(elementsOf<float>((*both)[1]) == FloatRow{1});
    CHECK(g.fault("none", feeds(-1)).starts_with("none: "));
    CHECK(g.fault("two", feeds(1)).starts_with("two: ")); // the queue is full
}

} // namespace lapidary
