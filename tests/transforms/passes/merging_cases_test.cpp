// The specification's numbered cases of logging, merging and short names (transforms, section 7).
#include "tests/graph_testing.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/pass/const_node.h"

#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

namespace lapidary {
namespace {

using Strings = std::vector<std::string>;

Strings namesOf(const GraphPtr& graph)
{
    Strings names;
    for (const NodePtr& node : graph->nodes())
        names.emplace_back(node->name());
    return names;
}

std::size_t countOps(const GraphPtr& graph, std::string_view op)
{
    return std::size_t(std::ranges::count_if(
        graph->nodes(), [&](const NodePtr& node) { return node->op() == op; }));
}

} // namespace

namespace {

// const_node1..3, add_node2, add_node3, mul_node1, add_node4, as T7.10 has them.
GraphPtr loggedGraph()
{
    return GraphBuilder()
        .floats("const_node1", {10}, {1, 2, 3})
        .floats("const_node2", {10}, {4, 5})
        .floats("const_node3", {10}, {6, 7, 8, 9})
        .node("add_node2", "Add", {"const_node1", "const_node2"})
        .node("add_node3", "Add", {"const_node1", "const_node3"})
        .node("mul_node1", "Mul", {"add_node2", "add_node3"})
        .node("add_node4", "Add", {"mul_node1", "const_node3"})
        .build();
}

std::set<std::string> printed(const char* step)
{
    const GraphPtr before = loggedGraph();
    const GraphPtr after = passed(step, before, {}, {"add_node4"});
    CHECK(computesOther(before, after, {"add_node4"}) == "");
    std::set<std::string> first;
    for (const NodePtr& node : after->nodes())
        if (node->op() == "Print")
            first.emplace(node->inputs()[0].text);
    CHECK(first.size() == countOps(after, "Print"));
    return first;
}

} // namespace

TEST_CASE("T7.10a: every node that is read gets a Print", "[cases]")
{
    CHECK(printed("insert_logging") == std::set<std::string>{"mul_node1:0", "add_node2:0",
                                                             "add_node3:0", "const_node1:0",
                                                             "const_node2:0", "const_node3:0"});
}

TEST_CASE("T7.10b: only the ops that are named get a Print", "[cases]")
{
    CHECK(printed("insert_logging(op=Mul, op=Add)") ==
          std::set<std::string>{"mul_node1:0", "add_node2:0", "add_node3:0"});
}

TEST_CASE("T7.10c: only the names with a prefix get a Print", "[cases]")
{
    CHECK(printed("insert_logging(prefix=add_node)") ==
          std::set<std::string>{"add_node2:0", "add_node3:0"});
}

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

TEST_CASE("T7.11a: the same quantisation twice becomes one", "[cases]")
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

TEST_CASE("T7.11b: equal constants become one", "[cases]")
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

TEST_CASE("T7.11c: what reads equal constants becomes one too", "[cases]")
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

TEST_CASE("T7.11d: inputs and outputs of the model are not merged", "[cases]")
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

TEST_CASE("T7.12a: names are numbered in the order of the file", "[cases]")
{
    const GraphPtr after = passed("obfuscate_names",
                                  graph("add_node1 = Add(add_node2, add_node3)\n"
                                        "add_node2 = Add(const_node1, const_node2)\n"
                                        "add_node3 = Add(const_node3, const_node4)\n"
                                        "const_node1 = Const()\nconst_node2 = Const()\n"
                                        "const_node3 = Const()\nconst_node4 = Const()\n"),
                                  {"const_node1"}, {"add_node1"});
    CHECK(printGraph(*after) == "add_node1 = Add(0, 1)\n0 = Add(const_node1, 2)\n1 = Add(3, 4)\n"
                                "const_node1 = Const()\n2 = Const()\n3 = Const()\n4 = Const()\n");
}

TEST_CASE("T7.12b: a thousand names", "[cases]")
{
    std::string text;
    for (int i = 0; i < 1000; ++i)
        text += "const_node" + std::to_string(i) + " = Const()\n";
    const GraphPtr after =
        passed("obfuscate_names", graph(text), {"const_node0"}, {"const_node999"});
    CHECK(hasNode(after, "const_node0"));
    CHECK(hasNode(after, "const_node999"));
    CHECK_FALSE(hasNode(after, "const_node500"));
}

TEST_CASE("T7.12c: numbers that inputs and outputs have are left out", "[cases]")
{
    std::string text;
    for (int i = 0; i < 1000; ++i)
        text += "1" + std::to_string(i) + " = Const()\n";
    const GraphPtr after = passed("obfuscate_names", graph(text), {"10"}, {"19"});
    CHECK(hasNode(after, "10"));
    CHECK(hasNode(after, "19"));
    const Strings names = namesOf(after);
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == 1000);
}

TEST_CASE("large constants are merged by their values, not by some of them", "[cases]")
{
    GraphBuilder builder;
    Strings names;
    for (const float value : {1.0F, 2.0F, 1.0F, 3.0F, 2.0F}) {
        std::vector<float> values(5000, 7);
        values[1234] = value; // between the places that are looked at first
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

} // namespace lapidary
