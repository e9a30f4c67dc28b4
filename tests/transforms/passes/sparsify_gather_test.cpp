// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {
namespace {

// Weights that a gather and a ConcatV2 read; nothing needs the result of the ConcatV2.
GraphBuilder linear(const std::string& op, const std::vector<std::string>& names)
{
    const TestAttrs wide{{"Tindices", attr::fromType(DType::Int64)},
                         {"Taxis", attr::fromType(DType::Int32)}};
    GraphBuilder builder;
    builder.node(
        "ids", "Placeholder", {},
        {{"dtype", attr::fromType(DType::Int64)}, {"shape", attr::fromShape({{2}, false})}});
    for (const std::string& name : names) {
        builder.floats(name + "/part_1", {4, 1}, {0.2F, 0.000001F, 1.2F, 0.001F})
            .node(name + "/part_1/read", "Identity", {name + "/part_1"})
            .ints(name + "/axis", {}, {0});
        if (op == "Gather")
            builder.node(name + "/gather", op, {name + "/part_1/read", "ids"}, {wide[0]});
        else
            builder.node(name + "/gather", op, {name + "/part_1/read", "ids", name + "/axis"},
                         wide);
    }
    return builder;
}

std::string valuesOf(const GraphPtr& graph, std::string_view name)
{
    const auto tensor = graph->node(graph->find(name)).tensor();
    REQUIRE(tensor.ok());
    const auto values = tensor->numbers(0, tensor->elements());
    REQUIRE(values.ok());
    std::string text;
    for (const double value : *values)
        text += (text.empty() ? "" : " ") + std::to_string(std::int64_t(value));
    return text;
}

} // namespace

TEST_CASE("sparsify_gather makes a table of a column", "[passes]")
{
    for (const char* op : {"Gather", "GatherV2"}) {
        for (const char* group : {"group_deps", "shared_inits"}) {
            GraphBuilder builder = linear(op, {"w"});
            builder.ints("concat/axis", {}, {1})
                .floats("concat/input", {4, 1}, {1})
                .node("concat", "ConcatV2", {"w/part_1/read", "concat/input", "concat/axis"},
                      {{"N", attr::fromInt(2)}})
                .node("shared_inits", "NoOp");
            const GraphPtr after =
                passed("sparsify_gather(group_init_node=" + std::string(group) + ")",
                       builder.build(), {"ids"}, {"w/gather"});
            CHECK(valuesOf(after, "w/part_1/indices") == "0 2 3");
            CHECK(floatsOf(after, "w/part_1/values") == std::vector<float>{0.2F, 1.2F, 0.001F});
            CHECK(inputsOf(after, "w/gather/LookupTableFind") ==
                  "w/part_1/HashTable, ids, w/gather/Const");
            CHECK(inputsOf(after, "w/gather") ==
                  "w/gather/LookupTableFind, w/gather/ExpandDims/Const");
            CHECK(inputsOf(after, group) == "^w/part_1/InitializeTable");
            CHECK(opOf(after, "concat") == "Identity");
            CHECK(inputsOf(after, "concat") == "concat/input");
            for (const char* gone : {"w/part_1", "w/part_1/read", "concat/axis"})
                CHECK_FALSE(hasNode(after, gone));
        }
    }
}

TEST_CASE("sparsify_gather takes one tensor out of three", "[passes]")
{
    GraphBuilder builder = linear("GatherV2", {"w"});
    builder.ints("concat/axis", {}, {1})
        .floats("a", {4, 1}, {1})
        .floats("b", {4, 1}, {2})
        .node("concat", "ConcatV2", {"w/part_1/read", "a", "b", "concat/axis"},
              {{"N", attr::fromInt(3)}});
    const GraphPtr after = passed("sparsify_gather", builder.build(), {"ids"}, {"w/gather"});
    CHECK(inputsOf(after, "concat") == "a, b, concat/axis");
    CHECK(after->node(after->find("concat")).attr("N").asInt() == 2);
}

TEST_CASE("sparsify_gather converts several weights", "[passes]")
{
    GraphBuilder builder = linear("Gather", {"w1", "w2"});
    builder.ints("concat/axis", {}, {1})
        .node("concat", "ConcatV2", {"w1/part_1/read", "w2/part_1/read", "concat/axis"},
              {{"N", attr::fromInt(2)}});
    const GraphPtr after =
        passed("sparsify_gather", builder.build(), {"ids"}, {"w1/gather", "w2/gather"});
    CHECK_FALSE(hasNode(after, "concat"));
    CHECK_FALSE(hasNode(after, "concat/axis"));
    CHECK(inputsOf(after, "group_deps") ==
          "^w1/part_1/InitializeTable, ^w2/part_1/InitializeTable");
}

TEST_CASE("sparsify_gather undoes what a weight that stays began", "[passes]")
{
    GraphBuilder builder = linear("Gather", {"w1", "w2"});
    builder.ints("concat/axis", {}, {1})
        .floats("a", {4, 1}, {1})
        .node("concat", "ConcatV2", {"w1/part_1/read", "w2/part_1/read", "a", "concat/axis"},
              {{"N", attr::fromInt(3)}})
        .node("other", "Add", {"w1/part_1/read", "a"});
    const GraphPtr after =
        passed("sparsify_gather", builder.build(), {"ids"}, {"w1/gather", "w2/gather"});
    CHECK(inputsOf(after, "concat") == "w1/part_1/read, a, concat/axis");
    CHECK(after->node(after->find("concat")).attr("N").asInt() == 2);
    CHECK(opOf(after, "w1/gather") == "Gather");
    CHECK(opOf(after, "w2/gather") == "ExpandDims");
}

TEST_CASE("sparsify_gather makes several gathers wait for one node in place of many", "[passes]")
{
    const TestAttrs narrow{{"Tindices", attr::fromType(DType::Int64)}};
    GraphBuilder builder;
    builder
        .node("ids", "Placeholder", {},
              {{"dtype", attr::fromType(DType::Int64)}, {"shape", attr::fromShape({{2}, false})}})
        .node("c1", "NoOp")
        .node("c2", "NoOp")
        .floats("w", {4, 1}, {0, 1, 0, 2})
        .node("read", "Identity", {"w", "^c1", "^c2"})
        .node("g1", "Gather", {"read", "ids"}, narrow)
        .node("g2", "Gather", {"read", "ids"}, narrow);
    const GraphPtr after = passed("sparsify_gather", builder.build(), {"ids"}, {"g1", "g2"});
    CHECK(inputsOf(after, "w/NoOp") == "^c1, ^c2");
    CHECK(inputsOf(after, "g1/LookupTableFind") == "w/HashTable, ids, g1/Const, ^w/NoOp");
    CHECK(inputsOf(after, "g2/LookupTableFind") == "w/HashTable, ids, g2/Const, ^w/NoOp");
}

TEST_CASE("sparsify_gather leaves weights alone that are needed otherwise", "[passes]")
{
    GraphBuilder builder = linear("Gather", {"w"});
    builder.node("sum", "Neg", {"w/part_1/read"});
    const GraphPtr before = builder.build();
    CHECK(passed("sparsify_gather", before, {"ids"}, {"w/gather", "sum"}) == before);
    CHECK(passed("sparsify_gather", before, {"ids"}, {"w/part_1/read", "w/gather"}) == before);
    CHECK(passed("sparsify_gather", before, {"ids"}, {"w/gather"}) != before);
    GraphBuilder none;
    none.placeholder("x", {2});
    const GraphPtr empty = none.build();
    CHECK(passed("sparsify_gather", empty, {"x"}, {"x"}) == empty);
}

namespace {

// Rows of a table, read by two nodes.
GraphPtr tableOf(std::vector<std::int64_t> dims)
{
    return GraphBuilder()
        .node("x", "Placeholder", {},
              {{"dtype", attr::fromType(DType::Int64)}, {"shape", attr::fromShape({{2}, false})}})
        .floats("w", std::move(dims), {0.5F, 0, 1, 2})
        .node("read", "Identity", {"w"})
        .node("gather", "Gather", {"read", "x"}, {{"Tindices", attr::fromType(DType::Int64)}})
        .node("y", "Relu", {"gather"})
        .build();
}

PatternCases sparsifyGatherPatterns(const TestFolder&)
{
    return {{"sparsify_gather",
             tableOf({4, 1}),
             {"w", "read", "gather"},
             {{"two columns", tableOf({2, 2})}}}};
}

const CasesOf sparsifyGatherCases("sparsify_gather", {.patterns = sparsifyGatherPatterns});

} // namespace

} // namespace lapidary
