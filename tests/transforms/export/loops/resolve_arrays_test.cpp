// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/export/loops/resolve_arrays.h"

#include <algorithm>

namespace lapidary {
namespace {

const TestAttrs floats{{"dtype", attr::fromType(DType::Float)}};
const TestAttrs ofFloats{{"T", attr::fromType(DType::Float)}};

bool hasArray(const GraphPtr& graph)
{
    return std::ranges::any_of(
        graph->nodes(), [](const NodePtr& node) { return node->op().starts_with("TensorArray"); });
}

// The rows of x go into one array; the second one is negated into another, after a third row.
GraphBuilder swapped(bool grows)
{
    TestAttrs array = floats;
    array.emplace_back("dynamic_size", attr::fromBool(grows));
    array.emplace_back("clear_after_read", attr::fromBool(false));
    GraphBuilder builder;
    builder.placeholder("x", {2, 3})
        .ints("two", {}, {2})
        .ints("none", {}, {0})
        .ints("one", {}, {1})
        .ints("both", {2}, {0, 1})
        .node("a", "TensorArrayV3", {"two"}, floats)
        .node("filled", "TensorArrayScatterV3", {"a", "both", "x", "a:1"}, ofFloats)
        .node("second", "TensorArrayReadV3", {"a", "one", "filled"}, floats)
        .node("first", "TensorArrayReadV3", {"a", "none", "filled"}, floats)
        .node("negated", "Neg", {"second"})
        .node("b", "TensorArrayV3", {grows ? "none" : "two"}, array)
        .node("with_one", "TensorArrayWriteV3", {"b", "one", "first", "b:1"}, ofFloats)
        .node("passed", "Identity", {"with_one"})
        .node("with_both", "TensorArrayWriteV3", {"b", "none", "negated", "passed"}, ofFloats)
        .node("size", "TensorArraySizeV3", {"b", "with_both"})
        .node("y", "TensorArrayGatherV3", {"b", "both", "with_both"}, floats)
        .node("long", "TensorArrayConcatV3", {"b", "with_both"}, floats);
    return builder;
}

} // namespace

TEST_CASE("Arrays with constant places become the tensors that are written to them", "[export]")
{
    for (const bool grows : {false, true}) {
        INFO(grows);
        const GraphPtr before = swapped(grows).build();
        const auto after = resolveArrays(before);
        INFO((after ? "" : after.error().message));
        REQUIRE(after);
        CHECK_FALSE(hasArray(*after));
        CHECK(opOf(*after, "y") == "Pack");
        CHECK(computesOther(before, *after, {"y", "long", "size"}) == "");
    }
}

TEST_CASE("An array that is read at a place that is fed stays, but its size is known", "[export]")
{
    GraphBuilder builder = swapped(true);
    builder.placeholder("place", {})
        .node("whole", "Cast", {"place"},
              {{"SrcT", attr::fromType(DType::Float)}, {"DstT", attr::fromType(DType::Int32)}})
        .node("any", "TensorArrayReadV3", {"b", "whole", "with_both"}, floats);
    const auto after = resolveArrays(builder.build());
    REQUIRE(after);
    CHECK(hasArray(*after));
    CHECK(opOf(*after, "any") == "TensorArrayReadV3");
    CHECK(opOf(*after, "size") == "Const");
}

TEST_CASE("The size of an array that does not grow is a constant before it is written", "[export]")
{
    const GraphPtr fixed = swapped(false).build();
    const auto settled = settleArraySizes(fixed);
    REQUIRE(settled);
    CHECK(opOf(*settled, "size") == "Const");
    CHECK(computesOther(fixed, *settled, {"size", "y"}) == "");
    const GraphPtr growing = swapped(true).build();
    const auto same = settleArraySizes(growing);
    REQUIRE(same);
    CHECK(*same == growing);
}

TEST_CASE("A graph without arrays is the same", "[export]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2}).node("y", "Relu", {"x"});
    const GraphPtr graph = builder.build();
    CHECK(*resolveArrays(graph) == graph);
    CHECK(*settleArraySizes(graph) == graph);
}

} // namespace lapidary
