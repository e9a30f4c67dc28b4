// SPDX-License-Identifier: Apache-2.0
#include "graph_model/ops/op_traits.h"
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/export/loops/unroll_loops.h"

#include <algorithm>

namespace lapidary {
namespace {

TestAttrs enters(bool isConstant, DType dtype)
{
    return {{"frame_name", attr::fromString("loop")},
            {"is_constant", attr::fromBool(isConstant)},
            {"T", attr::fromType(dtype)}};
}

TestAttrs ofType(DType dtype)
{
    return {{"T", attr::fromType(dtype)}};
}

TestAttrs merges(DType dtype)
{
    return {{"T", attr::fromType(dtype)}, {"N", attr::fromInt(2)}};
}

// The minimum of a limit and itself, repeatedly: 2^60 paths lead back to it.
void doubled(GraphBuilder& builder)
{
    constexpr int count = 60;
    for (int i = 1; i <= count; ++i) {
        const std::string before = "smaller" + std::to_string(i - 1);
        builder.node(i == count ? "limit" : "smaller" + std::to_string(i), "Minimum",
                     {before, before}, ofType(DType::Int32));
    }
}

enum class Limit : std::uint8_t { Constant, Fed, Bounded, Doubled };

// for (i = 0; i < limit; ++i) x = x * factor + i; `limit` is 3, an input, an input of at most 4, or
// one that 60 nodes read twice, one after another.
GraphBuilder loop(Limit limit)
{
    GraphBuilder builder;
    const DType whole = DType::Int32;
    builder.placeholder("x", {2}).ints("start", {}, {0}).ints("one", {}, {1});
    builder.floats("factor", {}, {2});
    const TestAttrs toWhole{{"SrcT", attr::fromType(DType::Float)},
                            {"DstT", attr::fromType(whole)}};
    if (limit == Limit::Constant)
        builder.ints("limit", {}, {3});
    else if (limit == Limit::Fed)
        builder.placeholder("far", {}).node("limit", "Cast", {"far"}, toWhole);
    else if (limit == Limit::Doubled)
        doubled(builder.placeholder("far", {}).node("smaller0", "Cast", {"far"}, toWhole));
    else
        builder.placeholder("far", {})
            .node("asked", "Cast", {"far"}, toWhole)
            .ints("most", {}, {4})
            .node("limit", "Minimum", {"asked", "most"}, ofType(whole));
    builder.node("enter_i", "Enter", {"start"}, enters(false, whole))
        .node("enter_x", "Enter", {"x"}, enters(false, DType::Float))
        .node("enter_n", "Enter", {"limit"}, enters(true, whole))
        .node("enter_f", "Enter", {"factor"}, enters(true, DType::Float))
        .node("i", "Merge", {"enter_i", "next_i"}, merges(whole))
        .node("v", "Merge", {"enter_x", "next_x"}, merges(DType::Float))
        .node("less", "Less", {"i", "enter_n"}, ofType(whole))
        .node("cond", "LoopCond", {"less"})
        .node("switch_i", "Switch", {"i", "cond"}, ofType(whole))
        .node("switch_x", "Switch", {"v", "cond"}, ofType(DType::Float))
        .node("more", "Add", {"switch_i:1", "one"}, ofType(whole))
        .node("real", "Cast", {"switch_i:1"},
              {{"SrcT", attr::fromType(whole)}, {"DstT", attr::fromType(DType::Float)}})
        .node("product", "Mul", {"switch_x:1", "enter_f"})
        .node("sum", "Add", {"product", "real"})
        .node("next_i", "NextIteration", {"more"}, ofType(whole))
        .node("next_x", "NextIteration", {"sum"})
        .node("y", "Exit", {"switch_x"})
        .node("turns", "Exit", {"switch_i"}, ofType(whole));
    return builder;
}

// Returns the loop's result for x = (1, -2), and its counter.
std::vector<double> resultsOf(const GraphPtr& graph, float far)
{
    Session session(graph, {});
    auto x = Value::make(DType::Float, {2}, session.pool());
    auto limit = Value::make(DType::Float, {}, session.pool());
    x->mutableAs<float>()[0] = 1;
    x->mutableAs<float>()[1] = -2;
    limit->mutableAs<float>()[0] = far;
    RunRequest request;
    request.feeds.emplace_back("x", *std::move(x));
    request.feeds.emplace_back("far", *std::move(limit));
    request.fetches = {"y", "turns"};
    const auto values = session.run(request, Job());
    INFO((values ? "" : values.error().message));
    REQUIRE(values);
    const auto y = (*values)[0].as<float>();
    return {y[0], y[1], double((*values)[1].as<std::int32_t>()[0])};
}

bool hasLoop(const GraphPtr& graph)
{
    return std::ranges::any_of(graph->nodes(),
                               [](const NodePtr& node) { return isEnter(node->op()); });
}

} // namespace

TEST_CASE("A loop that runs three times is written out three times", "[export]")
{
    const GraphPtr before = loop(Limit::Constant).build();
    const auto after = unrollLoops(before, {}, Job());
    REQUIRE(after);
    CHECK_FALSE(hasLoop(*after));
    CHECK(hasNode(*after, "product/step2"));
    CHECK_FALSE(hasNode(*after, "product/step3"));
    CHECK(computesOther(before, *after, {"y"}) == "");
}

TEST_CASE("A loop whose number of iterations is fed stays", "[export]")
{
    const GraphPtr before = loop(Limit::Fed).build();
    const auto after = unrollLoops(before, {}, Job());
    REQUIRE(after);
    CHECK(*after == before);
}

TEST_CASE("A loop whose limit has more ways to its inputs than can be walked stays", "[export]")
{
    const GraphPtr before = loop(Limit::Doubled).build();
    const auto after = unrollLoops(before, {}, Job());
    REQUIRE(after);
    CHECK(*after == before);
}

TEST_CASE("A loop that the inputs can end earlier is written out up to its bound", "[export]")
{
    const GraphPtr before = loop(Limit::Bounded).build();
    const auto after = unrollLoops(before, {}, Job());
    REQUIRE(after);
    CHECK_FALSE(hasLoop(*after));
    CHECK(hasNode(*after, "product/step3"));
    CHECK_FALSE(hasNode(*after, "product/step4"));
    for (const float far : {-1.F, 0.F, 1.F, 3.F, 4.F, 9.F}) {
        INFO(far);
        CHECK(resultsOf(*after, far) == resultsOf(before, far));
    }
}

} // namespace lapidary
