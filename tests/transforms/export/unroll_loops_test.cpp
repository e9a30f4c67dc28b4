// SPDX-License-Identifier: Apache-2.0
#include "graph_model/ops/op_traits.h"
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/export/unroll_loops.h"

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

// for (i = 0; i < limit; ++i) x = x * factor + i; `limit` is an input or 3.
GraphBuilder loop(bool isFed)
{
    GraphBuilder builder;
    const DType whole = DType::Int32;
    builder.placeholder("x", {2}).ints("start", {}, {0}).ints("one", {}, {1});
    builder.floats("factor", {}, {2});
    if (isFed)
        builder.placeholder("far", {}).node(
            "limit", "Cast", {"far"},
            {{"SrcT", attr::fromType(DType::Float)}, {"DstT", attr::fromType(whole)}});
    else
        builder.ints("limit", {}, {3});
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
        .node("y", "Exit", {"switch_x"});
    return builder;
}

bool hasLoop(const GraphPtr& graph)
{
    return std::ranges::any_of(graph->nodes(),
                               [](const NodePtr& node) { return isEnter(node->op()); });
}

} // namespace

TEST_CASE("A loop that runs three times is written out three times", "[export]")
{
    const GraphPtr before = loop(false).build();
    const auto after = unrollLoops(before, Job());
    REQUIRE(after);
    CHECK_FALSE(hasLoop(*after));
    CHECK(hasNode(*after, "product/step2"));
    CHECK_FALSE(hasNode(*after, "product/step3"));
    CHECK(computesOther(before, *after, {"y"}) == "");
}

TEST_CASE("A loop whose number of iterations is fed stays", "[export]")
{
    const GraphPtr before = loop(true).build();
    const auto after = unrollLoops(before, Job());
    REQUIRE(after);
    CHECK(*after == before);
}

} // namespace lapidary
