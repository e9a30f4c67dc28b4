// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {

namespace {

GraphPtr productGraph()
{
    return graph("a_node = Const()\nb_node = Const()\nc_node = Const()\n"
                 "mul_node = Mul(b_node, c_node)\nadd_node = Add(mul_node, a_node)\n");
}

void checkPlaceholder(const GraphPtr& graph, const char* name, DType dtype,
                      const std::vector<std::int64_t>& dims)
{
    CHECK(opOf(graph, name) == "Placeholder");
    CHECK(inputsOf(graph, name).empty());
    CHECK(nodeOf(graph, name).attr("dtype").asType() == dtype);
    const auto shape = nodeOf(graph, name).attr("shape").asShape();
    REQUIRE(shape);
    CHECK(shape->dims == dims);
}

} // namespace

TEST_CASE("nodes that the output does not need are removed", "[passes]")
{
    const GraphPtr after = passed("strip_unused_nodes",
                                  graph("a_node = Const()\nb_node = Const()\nc_node = Const()\n"
                                        "add_node = Add(a_node, b_node)\n"),
                                  {}, {"add_node"});
    CHECK(namesOf(after) == Strings{"a_node", "b_node", "add_node"});
}

TEST_CASE("an input stays although nothing reads it", "[passes]")
{
    const GraphPtr after = passed("strip_unused_nodes",
                                  graph("add_node1 = Add(add_node2, add_node3)\n"
                                        "add_node2 = Add(c1, c2)\nadd_node3 = Add(c1, c3)\n"
                                        "c1 = Const()\nc2 = Const()\nc3 = Const()\n"
                                        "dangling_input = Const()\n"
                                        "add_node4 = Add(add_node2, add_node3)\n"),
                                  {"dangling_input"}, {"add_node1"});
    CHECK_FALSE(hasNode(after, "add_node4"));
    CHECK(hasNode(after, "dangling_input"));
    CHECK(hasNode(after, "add_node1"));
}

TEST_CASE("an input becomes a placeholder", "[passes]")
{
    const GraphPtr after = passed("strip_unused_nodes", productGraph(), {"mul_node"}, {"add_node"});
    checkPlaceholder(after, "mul_node", DType::Float, {});
    CHECK_FALSE(hasNode(after, "b_node"));
    CHECK_FALSE(hasNode(after, "c_node"));
}

TEST_CASE("shapes that follow from an input are no longer said once it is replaced", "[passes]")
{
    // A list of one shape, [2]: AttrValue.list = 1, ListValue.shape = 7.
    const std::string shape = attr::fromShape({{2}, false});
    const std::string shapes = std::string("\x0a") + char(shape.size()) + shape;
    const TestAttrs says{{"_output_shapes", shapes}};
    const GraphPtr before = GraphBuilder()
                                .floats("w", {2}, {1})
                                .node("aside", "Neg", {"w"}, says)
                                .node("input", "Neg", {"w"}, says)
                                .node("y", "Add", {"input", "aside"}, says)
                                .build();
    const GraphPtr after =
        passed("strip_unused_nodes(type=float, shape=\"5\")", before, {"input"}, {"y"});
    CHECK_FALSE(nodeOf(after, "y").hasAttr("_output_shapes"));
    CHECK(nodeOf(after, "aside").hasAttr("_output_shapes"));
    const GraphPtr same = passed("strip_unused_nodes", before, {}, {"y"});
    CHECK(nodeOf(same, "y").hasAttr("_output_shapes"));
}

TEST_CASE("an input becomes a placeholder of the type and shape given for all", "[passes]")
{
    checkPlaceholder(passed("strip_unused_nodes(type=int32, shape=\"1,2,3\")", productGraph(),
                            {"mul_node"}, {"add_node"}),
                     "mul_node", DType::Int32, {1, 2, 3});
}

TEST_CASE("an input becomes a placeholder of the type and shape given for it", "[passes]")
{
    const GraphPtr after =
        passed("strip_unused_nodes(name=a_node, type_for_name=int64, shape_for_name=\"1,2\", "
               "name=mul_node, type_for_name=quint8, shape_for_name=\"1, 2, 3\")",
               productGraph(), {"mul_node", "a_node"}, {"add_node"});
    checkPlaceholder(after, "a_node", DType::Int64, {1, 2});
    checkPlaceholder(after, "mul_node", DType::QUInt8, {1, 2, 3});
}

TEST_CASE("a node that reads the output is removed", "[passes]")
{
    const GraphPtr after = passed("strip_unused_nodes",
                                  graph("const_op1 = Const()\nconst_op2 = Const()\n"
                                        "add_op = Add(const_op1, const_op2)\n"
                                        "relu_op = Relu(add_op)\n"),
                                  {}, {"add_op"});
    CHECK_FALSE(hasNode(after, "relu_op"));
    CHECK(hasNode(after, "add_op"));
}

namespace {

PatternCases stripUnusedNodesPatterns(const TestFolder&)
{
    return {{"strip_unused_nodes", twinsAndDead(), {"dead"}, {{"nothing", reluOnly()}}}};
}

const CasesOf stripUnusedNodesCases("strip_unused_nodes", {.patterns = stripUnusedNodesPatterns,
                                                           .sharing = {{"strip_unused_nodes"}}});

} // namespace

} // namespace lapidary
