// SPDX-License-Identifier: Apache-2.0
// RaggedTensorToVariant and RaggedTensorFromVariant, and ops that move variants between them.
#include "tests/catch.h"
#include "tests/runner/kernels/small_graph.h"

namespace lapidary {
namespace {

using Row = std::vector<std::int64_t>;

NodeAttrs fromAttrs(std::int64_t inner, std::int64_t all, DType values = DType::Float)
{
    return {{"input_ragged_rank", attr::fromInt(inner)},
            {"output_ragged_rank", attr::fromInt(all)},
            {"Tvalues", attr::fromType(values)},
            {"Tsplits", attr::fromType(DType::Int64)}};
}

// [[[1], [2, 3]], [], [[4]]] as one variant for each row ("rows") and as a single one ("whole").
SmallGraph encoded()
{
    SmallGraph g;
    g.input("outer", DType::Int64).input("inner", DType::Int64).input("x", DType::Float);
    g.input("picked", DType::Int32).input("none", DType::Int32);
    const auto encode = [&](const std::string& name, bool batched) {
        g.node(name, "RaggedTensorToVariant", {"outer", "inner", "x"},
               {{"RAGGED_RANK", attr::fromInt(2)},
                {"Tvalues", attr::fromType(DType::Float)},
                {"Tsplits", attr::fromType(DType::Int64)},
                {"batched_input", attr::fromBool(batched)}});
    };
    encode("rows", true);
    encode("whole", false);
    return g;
}

SmallGraph::Feeds feeds()
{
    return {{"outer", valueOf<std::int64_t>({4}, {0, 2, 2, 3})},
            {"inner", valueOf<std::int64_t>({4}, {0, 1, 3, 4})},
            {"x", valueOf<float>({4}, {1, 2, 3, 4})},
            {"picked", valueOf<std::int32_t>({3}, {2, 1, 0})},
            {"none", valueOf<std::int32_t>({0}, {0})}};
}

// Returns the splits and the values of the node "y", one after another.
std::pair<std::vector<Row>, std::vector<float>> decoded(SmallGraph& g, std::size_t levels)
{
    std::vector<std::string> fetches;
    for (std::size_t i = 0; i <= levels; ++i)
        fetches.push_back("y:" + std::to_string(i));
    const auto all = g.runAll(fetches, feeds());
    INFO((all ? "" : all.error().message));
    REQUIRE(all.ok());
    std::vector<Row> splits;
    for (std::size_t i = 0; i < levels; ++i)
        splits.push_back(elementsOf<std::int64_t>((*all)[i]));
    return {splits, elementsOf<float>((*all)[levels])};
}

} // namespace

TEST_CASE("a ragged tensor comes back from one variant and from one for each row", "[ragged]")
{
    const std::pair<std::vector<Row>, std::vector<float>> same{{{0, 2, 2, 3}, {0, 1, 3, 4}},
                                                               {1, 2, 3, 4}};
    for (const std::string source : {"rows", "whole"}) {
        INFO(source);
        SmallGraph g = encoded();
        g.node("y", "RaggedTensorFromVariant", {source}, fromAttrs(-1, 2));
        CHECK(decoded(g, 2) == same);
    }
}

TEST_CASE("variants of rows are gathered and kept in lists like any elements", "[ragged]")
{
    SmallGraph g = encoded();
    g.node("list", "TensorListFromTensor", {"rows", "none"},
           {{"element_dtype", attr::fromType(DType::Variant)},
            {"shape_type", attr::fromType(DType::Int32)}});
    g.node("again", "TensorListGather", {"list", "picked", "none"},
           {{"element_dtype", attr::fromType(DType::Variant)}});
    g.node("y", "RaggedTensorFromVariant", {"again"}, fromAttrs(1, 2));
    CHECK(decoded(g, 2) == std::pair<std::vector<Row>, std::vector<float>>{
                               {{0, 1, 1, 3}, {0, 1, 2, 4}}, {4, 1, 2, 3}});
    SmallGraph packed = encoded();
    packed.node("pair", "Pack", {"rows", "rows"},
                {{"N", attr::fromInt(2)}, {"T", attr::fromType(DType::Variant)}});
    packed.node("y", "RaggedTensorFromVariant", {"pair"}, fromAttrs(1, 3));
    CHECK(decoded(packed, 3) ==
          std::pair<std::vector<Row>, std::vector<float>>{
              {{0, 3, 6}, {0, 2, 2, 3, 5, 5, 6}, {0, 1, 3, 4, 5, 7, 8}}, {1, 2, 3, 4, 1, 2, 3, 4}});
}

TEST_CASE("reading an element that a variant does not have is an error that says so", "[ragged]")
{
    const auto faultOf = [](const std::string& source, const NodeAttrs& attrs) {
        SmallGraph g = encoded();
        g.node("list", "TensorListFromTensor", {"x", "none"},
               {{"element_dtype", attr::fromType(DType::Float)},
                {"shape_type", attr::fromType(DType::Int32)}});
        g.node("y", "RaggedTensorFromVariant", {source}, attrs);
        return g.fault("y", feeds());
    };
    CHECK(faultOf("rows", fromAttrs(1, 2, DType::Double)).find("float") != std::string::npos);
    CHECK(faultOf("rows", fromAttrs(2, 3)).find("1 ragged axes") != std::string::npos);
    CHECK(faultOf("rows", fromAttrs(2, 2)).find("input_ragged_rank") != std::string::npos);
    CHECK(faultOf("list", fromAttrs(1, 1)).find("no ragged tensor") != std::string::npos);
    SmallGraph g = encoded();
    SmallGraph::Feeds wrong = feeds();
    wrong[1].second = valueOf<std::int64_t>({4}, {0, 1, 3, 9});
    CHECK(g.fault("rows", wrong).find("end at 9") != std::string::npos);
}

} // namespace lapidary
