// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/export/loops/array_elements.h"

namespace lapidary {
namespace {

// An array whose elements have an unknown first size, with writes of these first sizes.
GraphPtr arrayWith(const std::vector<std::int64_t>& sizes)
{
    GraphBuilder builder;
    builder.ints("count", {}, {2});
    builder.node("array", "TensorArrayV3", {"count"},
                 {{"dtype", attr::fromType(DType::Float)},
                  {"element_shape", attr::fromShape({{-1, 2}, false})}});
    std::string flow = "array:1";
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::string number = std::to_string(i);
        builder.placeholder("x" + number, {sizes[i], 2});
        builder.ints("place" + number, {}, {std::int32_t(i)});
        builder.node("write" + number, "TensorArrayWriteV3",
                     {"array", "place" + number, "x" + number, flow});
        flow = "write" + number;
    }
    return builder.build();
}

std::optional<Shape> elementShape(const Graph& graph)
{
    return graph.node(graph.find("array")).attr("element_shape").asShape();
}

} // namespace

TEST_CASE("An array says the sizes of what is written to it", "[export]")
{
    const auto settled = settleArrayElements(arrayWith({3, 3}), Job());
    REQUIRE(settled);
    CHECK(elementShape(**settled) == Shape{{3, 2}, false});
    const auto again = settleArrayElements(*settled, Job());
    REQUIRE(again);
    CHECK(*again == *settled);
}

TEST_CASE("An array leaves sizes open that differ or are not known", "[export]")
{
    const GraphPtr graph =
        arrayWith(GENERATE(std::vector<std::int64_t>{3, 4}, std::vector<std::int64_t>{3, -1}));
    const auto settled = settleArrayElements(graph, Job());
    REQUIRE(settled);
    CHECK(*settled == graph);
}

TEST_CASE("A handle that is only passed around in a loop is not an array", "[export]")
{
    GraphBuilder builder;
    builder.ints("place", {}, {0}).placeholder("x", {3, 2});
    builder.node("again", "NextIteration", {"round"}, {{"T", attr::fromType(DType::Resource)}});
    builder.node("round", "Merge", {"again", "again"},
                 {{"T", attr::fromType(DType::Resource)}, {"N", attr::fromInt(2)}});
    builder.node("write", "TensorArrayWriteV3", {"round", "place", "x", "x"});
    const GraphPtr graph = builder.build();
    const auto settled = settleArrayElements(graph, Job());
    REQUIRE(settled);
    CHECK(*settled == graph);
}

} // namespace lapidary
