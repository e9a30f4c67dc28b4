// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"
#include "transforms/constants/const_node.h"

namespace lapidary {

namespace {

GraphBuilder& reductions(GraphBuilder& builder, const std::string& suffix)
{
    return builder.ints("reshape_dims" + suffix, {1}, {-1})
        .ints("reduction_dims" + suffix, {1}, {0})
        .node("reshape" + suffix, "Reshape", {"dequantize_op", "reshape_dims" + suffix})
        .node("min" + suffix, "Min", {"reshape" + suffix, "reduction_dims" + suffix})
        .node("max" + suffix, "Max", {"reshape" + suffix, "reduction_dims" + suffix})
        .node("quantize" + suffix, "QuantizeV2", {"dequantize_op", "min" + suffix, "max" + suffix},
              {{"T", attr::fromType(DType::QUInt8)}, {"mode", attr::fromString("MIN_FIRST")}})
        .node("unpacked" + suffix, "Dequantize",
              {"quantize" + suffix, "quantize" + suffix + ":1", "quantize" + suffix + ":2"},
              {{"T", attr::fromType(DType::QUInt8)}, {"mode", attr::fromString("MIN_FIRST")}});
}

GraphBuilder twins()
{
    GraphBuilder builder;
    builder.floats("a_op", {10}, {1, 2, 3}).floats("b_op", {10}, {1, 2, 3});
    return builder;
}

} // namespace

TEST_CASE("the same quantization twice becomes one", "[passes]")
{
    GraphBuilder builder;
    builder
        .node("quantized_op", "Const", {},
              constNode("", DType::QUInt8, {}, std::string(1, '\0')).attrs)
        .floats("quantized_min_op", {}, {2})
        .floats("quantized_max_op", {}, {2})
        .node("dequantize_op", "Dequantize",
              {"quantized_op", "quantized_min_op", "quantized_max_op"},
              {{"T", attr::fromType(DType::QUInt8)}, {"mode", attr::fromString("MIN_FIRST")}});
    reductions(builder, "_1");
    reductions(builder, "_2").node("add_op", "Add", {"unpacked_1", "unpacked_2"});
    const GraphPtr after = passed("merge_duplicate_nodes", builder.build(), {}, {"add_op"});
    CHECK(countOps(after, "QuantizeV2") == 1);
    CHECK(inputsOf(after, "add_op") == "unpacked_1, unpacked_1");
}

TEST_CASE("equal constants become one", "[passes]")
{
    const GraphPtr after = passed("merge_duplicate_nodes",
                                  twins()
                                      .node("add_op", "Add", {"a_op", "b_op"})
                                      .floats("c_op", {10}, {7})
                                      .node("mul_op", "Mul", {"add_op", "c_op"})
                                      .build(),
                                  {}, {"mul_op"});
    CHECK(namesOf(after) == Strings{"a_op", "add_op", "c_op", "mul_op"});
    CHECK(inputsOf(after, "add_op") == "a_op, a_op");
    CHECK(inputsOf(after, "mul_op") == "add_op, c_op");
}

TEST_CASE("nodes that read equal constants are merged too", "[passes]")
{
    const GraphPtr after = passed("merge_duplicate_nodes",
                                  twins()
                                      .node("relu_a", "Relu", {"a_op"})
                                      .node("relu_b", "Relu", {"b_op"})
                                      .node("add_op", "Add", {"relu_a", "relu_b"})
                                      .build(),
                                  {}, {"add_op"});
    CHECK(namesOf(after) == Strings{"a_op", "relu_a", "add_op"});
    CHECK(inputsOf(after, "add_op") == "relu_a, relu_a");
}

TEST_CASE("inputs and outputs of the model are not merged", "[passes]")
{
    const GraphPtr after = passed("merge_duplicate_nodes",
                                  twins()
                                      .node("relu_a", "Relu", {"a_op"})
                                      .node("relu_b", "Relu", {"b_op"})
                                      .node("add_op", "Add", {"relu_a", "relu_b"})
                                      .floats("c_op", {10}, {7})
                                      .node("mul_op1", "Mul", {"add_op", "c_op"})
                                      .node("mul_op2", "Mul", {"add_op", "c_op"})
                                      .node("mul_op3", "Mul", {"add_op", "c_op"})
                                      .node("final_mul_op", "Mul", {"mul_op2", "mul_op3"})
                                      .build(),
                                  {"a_op"}, {"mul_op1", "final_mul_op"});
    for (const char* name : {"a_op", "b_op", "relu_a", "relu_b", "mul_op1", "final_mul_op"})
        CHECK(hasNode(after, name));
    CHECK(inputsOf(after, "add_op") == "relu_a, relu_b");
    CHECK(hasNode(after, "mul_op2") != hasNode(after, "mul_op3"));
    CHECK(inputsOf(after, "final_mul_op") == "mul_op2, mul_op2");
}

TEST_CASE("long chains that are equal become one", "[passes]")
{
    constexpr int length = 20000; // a round for each of its nodes would take 400 million steps
    std::string text = "x = Placeholder()\n";
    for (const char* chain : {"a", "b"})
        for (int i = 0; i < length; ++i)
            text += chain + std::to_string(i) + " = Relu(" +
                    (i == 0 ? "x" : chain + std::to_string(i - 1)) + ")\n";
    const std::string last = std::to_string(length - 1);
    const GraphPtr after =
        passed("merge_duplicate_nodes", graph(text + "y = Add(a" + last + ", b" + last + ")"),
               {"x"}, {"y"});
    CHECK(after->size() == length + 2);
    CHECK(inputsOf(after, "y") == "a" + last + ", a" + last);
}

TEST_CASE("equal nodes of a cycle become one, the first in the file", "[passes]")
{
    const GraphPtr after = passed("merge_duplicate_nodes",
                                  graph("late = Relu(turn)\n"
                                        "in = Placeholder()\n"
                                        "start = Enter(in)\n"
                                        "turn = Merge(start, next)\n"
                                        "early = Relu(turn)\n"
                                        "sum = Add(early, late)\n"
                                        "twin = Add(late, early)\n"
                                        "next = NextIteration(sum)\n"
                                        "y = Mul(sum, twin)\n"),
                                  {"in"}, {"y"});
    CHECK(namesOf(after) == Strings{"late", "in", "start", "turn", "sum", "next", "y"});
    CHECK(inputsOf(after, "sum") == "late, late");
    CHECK(inputsOf(after, "y") == "sum, sum");
}

TEST_CASE("nodes that wait for equal nodes are merged", "[passes]")
{
    const GraphPtr after =
        passed("merge_duplicate_nodes",
               twins()
                   .node("relu_a", "Relu", {"a_op", "^b_op"})
                   .node("relu_b", "Relu", {"b_op", "^b_op"})
                   .node("relu_c", "Relu", {"b_op"})
                   .node("y", "AddN", {"relu_a", "relu_b", "relu_c"}, {{"N", attr::fromInt(3)}})
                   .build(),
               {}, {"y"});
    CHECK(inputsOf(after, "y") == "relu_a, relu_a, relu_a");
}

TEST_CASE("large constants are merged by their values, not by some of them", "[passes]")
{
    GraphBuilder builder;
    Strings names;
    for (const float value : {1.0F, 2.0F, 1.0F, 3.0F, 2.0F}) {
        std::vector<float> values(5000, 7);
        values[1234] = value; // between the values that are compared first
        names.push_back("w" + std::to_string(names.size()));
        builder.floats(names.back(), {5000}, values);
    }
    const GraphPtr before =
        builder.node("y", "AddN", names, {{"N", attr::fromInt(std::int64_t(names.size()))}})
            .build();
    const GraphPtr after = passed("merge_duplicate_nodes", before, {}, {"y"});
    CHECK(inputsOf(after, "y") == "w0, w1, w0, w3, w1");
    CHECK(namesOf(after) == Strings{"w0", "w1", "w3", "y"});
    CHECK(computesOther(before, after, {"y"}) == "");
}

namespace {

PatternCases mergeDuplicateNodesPatterns(const TestFolder&)
{
    const GraphPtr twice = imageInput()
                               .floats("one", {2}, {1})
                               .floats("two", {2}, {1})
                               .node("a", "Add", {"x", "one"})
                               .node("b", "Add", {"x", "two"})
                               .node("y", "Mul", {"a", "b"})
                               .build();
    const GraphPtr other = imageInput()
                               .floats("one", {2}, {1})
                               .floats("two", {2}, {2})
                               .node("a", "Add", {"x", "one"})
                               .node("y", "Add", {"a", "two"})
                               .build();
    return {{"merge_duplicate_nodes", twice, {"one", "two", "a", "b"}, {{"another value", other}}}};
}

const CasesOf mergeDuplicateNodesCases("merge_duplicate_nodes",
                                       {.patterns = mergeDuplicateNodesPatterns,
                                        .sharing = {{"merge_duplicate_nodes"}}});

} // namespace

} // namespace lapidary
