// The specification's numbered cases of what passes are made of (transforms, sections 3 and 4).
#include "graph_model/ops/node_signature.h"
#include "graph_model/read/model_file.h"
#include "graph_model/write/write_model.h"
#include "tests/graph_testing.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/compare/equal_graphs.h"
#include "transforms/match/replacement.h"
#include "transforms/pass/const_node.h"
#include "transforms/pass/dangling_input.h"
#include "transforms/recipe/run_recipe.h"

#include <algorithm>

#include <catch2/catch.hpp>

namespace lapidary {
namespace {

// The graph of T3.4.
GraphBuilder sums()
{
    GraphBuilder builder;
    builder.floats("a", {100}, {1, 2, 3})
        .floats("b", {100}, {4, 5, 6})
        .node("add", "Add", {"a", "b"})
        .placeholder("placeholder", {100})
        .node("output", "Mul", {"add", "placeholder"});
    return builder;
}

std::vector<std::string> readersOf(const GraphPtr& graph, std::string_view name)
{
    std::vector<std::string> readers;
    for (const Consumer& consumer : graph->consumers(graph->find(name)))
        readers.emplace_back(graph->node(consumer.node).name());
    return readers;
}

using Rules = std::vector<std::pair<const char*, const char*>>;

Result<EditResult> redirected(const char* text, const Rules& rules)
{
    GraphEdit edit(graph(text));
    for (const auto& [from, to] : rules)
        edit.redirect(from, to);
    return std::move(edit).finish();
}

std::string faultOf(const GraphPtr& graph, const char* recipe)
{
    return runRecipe(graph, parseRecipe(recipe, RecipeSyntax::Original).value(), {}, {}, Job())
        .fault;
}

} // namespace

TEST_CASE("T3.1: parts of an input", "[cases]")
{
    CHECK(parseInput("some_node_name").node == "some_node_name");
    CHECK_FALSE(parseInput("some_node_name").isControl());
    CHECK(parseInput("some_node_name/with/slashes").node == "some_node_name/with/slashes");
    CHECK(parseInput("some_node_name:0").node == "some_node_name");
    CHECK(parseInput("some_node_name:0").port == 0);
    CHECK(parseInput("^some_node_name").isControl());
    CHECK(parseInput("^some_node_name").node == "some_node_name");
}

TEST_CASE("T3.2: the node of an input", "[cases]")
{
    for (const char* text : {"node_name", "node_name:0", "^node_name"})
        CHECK(parseInput(text).node == "node_name");
    // A control input with a port is none that a graph may have; it leads to no node.
    CHECK(parseInput("^node_name:42").isControl());
}

TEST_CASE("T3.3: an input without a port means port 0", "[cases]")
{
    CHECK(parseInput("node_name").port == parseInput("node_name:0").port);
    CHECK(parseInput("^node_name").port == -1);
    CHECK(redirected("a = Const()\nb = Const()\ny = Add(a, a:0, ^a)\n", {{"a", "b"}})
              .value()
              .graph->node(NodeId{2})
              .inputs()[1]
              .text == "b");
}

TEST_CASE("T3.4: nodes by name, and their readers", "[cases]")
{
    const GraphPtr graph = sums().build();
    for (const char* name : {"a", "b", "add", "placeholder", "output"})
        CHECK(graph->find(name).isValid());
    CHECK_FALSE(graph->find("no_such_node").isValid());
    CHECK(readersOf(graph, "a") == std::vector<std::string>{"add"});
    CHECK(readersOf(graph, "b") == std::vector<std::string>{"add"});
    CHECK(readersOf(graph, "add") == std::vector<std::string>{"output"});
    CHECK(readersOf(graph, "placeholder") == std::vector<std::string>{"output"});
    CHECK(readersOf(graph, "output").empty());
}

TEST_CASE("T3.5: attributes are written and read back", "[cases]")
{
    NodeDraft draft = newNode("n", "Op");
    draft.inputs.emplace_back("foo");
    draft.setAttr("foo", attr::fromInt(3));
    draft.setAttr("text", attr::fromString("some_value"));
    NodeDraft copy = newNode("m", "Op");
    copyAttr(*draft.finish(), "foo", copy, "bar");
    CHECK(copy.finish()->attr("bar").asInt() == 3);
    CHECK(draft.finish()->inputs()[0].text == "foo");
    CHECK(draft.finish()->attr("text").asString() == "some_value");
    const std::vector<std::int32_t> three{1, 2, 3};
    CHECK(intValues(*intConst("c", {3, 1}, three).finish()).value() == three);
    std::vector<std::int32_t> iota(20);
    for (std::int32_t i = 0; i < 20; ++i)
        iota[std::size_t(i)] = i;
    const NodePtr large = intConst("c", {4, 5}, iota).finish();
    CHECK(intValues(*large).value() == iota);
    CHECK(constDims(*large) == std::vector<std::int64_t>{4, 5});
    CHECK(large->tensor().value().content().size() == 20 * sizeof(std::int32_t));
}

TEST_CASE("T3.6: a node is filtered out", "[cases]")
{
    const GraphPtr before = sums().node("remove_me", "Add", {"output", "add"}).build();
    GraphEdit edit(before);
    edit.remove(before->find("remove_me"), "not wanted");
    const auto after = std::move(edit).finish();
    REQUIRE(after.ok());
    CHECK(graphDifference(*after.value().graph, *sums().build()).empty());
}

TEST_CASE("T3.7: an attribute is filtered out", "[cases]")
{
    NodeDraft draft = NodeDraft::of(sums().build()->node(NodeId{3}));
    REQUIRE(draft.finish()->hasAttr("dtype"));
    draft.removeAttr("dtype");
    CHECK_FALSE(draft.finish()->hasAttr("dtype"));
}

TEST_CASE("T3.15: a match level by level", "[cases]")
{
    const Match fourth{NodeId{3}, {}};
    const Match match{NodeId{0}, {{NodeId{1}, {fourth}}, {NodeId{2}, {fourth}}}};
    CHECK(matchedNodes(match) == std::vector<NodeId>{NodeId{0}, NodeId{1}, NodeId{2}, NodeId{3}});
}

TEST_CASE("T3.16: every node is replaced by two", "[cases]")
{
    ReplaceOptions options{{"*", {}}, {}, "wrapped"};
    options.rewrite = [](const Graph& base, const Match& match, Replacement& parts) {
        NodeDraft inner = NodeDraft::of(base.node(match.node));
        NodeDraft outer = newNode(inner.name, "Identity", {inner.name + "_before_identity"});
        inner.name += "_before_identity";
        parts.add(std::move(inner), {match.node});
        parts.change(match.node, std::move(outer));
        return Result<std::string>(std::string());
    };
    const auto edit = replaceMatches(sums().build(), {}, options, Job());
    REQUIRE(edit.ok());
    const GraphPtr& after = edit.value().graph;
    CHECK(after->size() == 10);
    CHECK(inputsOf(after, "output_before_identity") == "add, placeholder");
    for (const char* name : {"a", "b", "add", "placeholder", "output"})
        CHECK(inputsOf(after, name) == std::string(name) + "_before_identity");
}

TEST_CASE("T3.17: a match that is left alone stays as it is", "[cases]")
{
    ReplaceOptions options{{"Relu", {{"Const", {}}}}, {}, "never"};
    options.rewrite = [](const Graph&, const Match&, Replacement&) {
        return Result<std::string>(std::string("it is not wanted"));
    };
    const GraphPtr before = graph("b = Const()\na = Relu(b)\n");
    const auto edit = replaceMatches(before, {}, options, Job());
    REQUIRE(edit.ok());
    CHECK(edit.value().graph == before);
    const auto findings = findReplacements(before, {}, options, Job());
    REQUIRE(findings.ok());
    REQUIRE(findings.value().size() == 1);
    CHECK(findings.value()[0].nodes == std::vector<NodeId>{NodeId{1}, NodeId{0}});
    CHECK(findings.value()[0].why == "it is not wanted");
}

TEST_CASE("T3.18: readers are redirected", "[cases]")
{
    const auto edit = redirected("a = Const()\nb = Const()\nadd = Add(a, a)\n", {{"a", "b"}});
    REQUIRE(edit.ok());
    CHECK(inputsOf(edit.value().graph, "add") == "b, b");
}

TEST_CASE("T3.19: from one to the next", "[cases]")
{
    const auto edit = redirected("a = Const()\nb = Const()\nc = Const()\nd = Const()\ne = Const()\n"
                                 "f = Const()\nadd = Add(a, b)\n",
                                 {{"a", "f"}, {"f", "e"}, {"e", "d"}, {"d", "c"}});
    REQUIRE(edit.ok());
    CHECK(inputsOf(edit.value().graph, "add") == "c, b");
}

TEST_CASE("T3.20: never in a circle", "[cases]")
{
    const auto edit = redirected("a = Const()\nb = Const()\nd = Const()\nadd = Add(a, b)\n",
                                 {{"a", "d"}, {"d", "a"}});
    REQUIRE_FALSE(edit.ok());
    CHECK(edit.error().message.find("circle") != std::string::npos);
}

TEST_CASE("T3.21: with every port", "[cases]")
{
    const GraphPtr before = graph("quantize_a = Op()\nadd = Add(quantize_a:1, quantize_a:2)\n");
    GraphEdit edit(before);
    edit.rename(NodeId{0}, "quantize_b");
    const auto after = std::move(edit).finish();
    REQUIRE(after.ok());
    CHECK(inputsOf(after.value().graph, "add") == "quantize_b:1, quantize_b:2");
}

TEST_CASE("T3.22: nodes that are added keep what they read", "[cases]")
{
    const GraphPtr before = graph("a = Const()\nb = Const()\nadd = Add(a, a)\n");
    GraphEdit edit(before);
    edit.redirect("a", "b");
    edit.add(newNode("add2", "Add", {"a", "a"}), {NodeId{2}});
    const auto after = std::move(edit).finish();
    REQUIRE(after.ok());
    CHECK(inputsOf(after.value().graph, "add") == "b, b");
    CHECK(inputsOf(after.value().graph, "add2") == "a, a");
}

TEST_CASE("T3.23: inputs that do not exist", "[cases]")
{
    const GraphPtr broken = graph("mul = Mul(add1, add2:0, ^const1:0)\n"
                                  "add1 = Add(missing1, const1:0, missing2)\n"
                                  "add2 = Add(missing3, const1:0, ^const2)\n"
                                  "const1 = Const()\nconst2 = Const()\n");
    CHECK(danglingInput(*broken, NodeId{1}).find("missing1") != std::string::npos);
    CHECK(danglingInput(*broken, NodeId{2}).find("missing3") != std::string::npos);
    CHECK(danglingInput(*broken, NodeId{3}).empty());
    CHECK_FALSE(danglingInput(*broken).empty());
    CHECK(danglingInput(*graph("c = Const()\n")).empty());
}

TEST_CASE("T3.24: types of inputs and outputs", "[cases]")
{
    const GraphPtr graph =
        GraphBuilder()
            .floats("float_const", {1}, {1})
            .ints("int_const", {1}, {1})
            .node("float_relu", "Relu", {"float_const"})
            .node("int_relu", "Relu", {"int_const"}, {{"T", attr::fromType(DType::Int32)}})
            .build();
    const auto types = [&](const char* name, bool ofInputs) {
        const Node& node = graph->node(graph->find(name));
        return ofInputs ? inputDtypes(node, *findOp(node.op()))
                        : outputDtypes(node, *findOp(node.op()));
    };
    using Types = std::vector<DType>;
    CHECK(types("float_const", true).empty());
    CHECK(types("float_const", false) == Types{DType::Float});
    CHECK(types("int_const", false) == Types{DType::Int32});
    CHECK(types("float_relu", true) == Types{DType::Float});
    CHECK(types("float_relu", false) == Types{DType::Float});
    CHECK(types("int_relu", true) == Types{DType::Int32});
    CHECK(types("int_relu", false) == Types{DType::Int32});
}

TEST_CASE("T3.29: nodes are the same, or not", "[cases]")
{
    const auto constant = [](const char* name, std::vector<std::int64_t> dims, float value) {
        return floatConst(name, dims, std::vector<float>(10, value)).finish();
    };
    const NodePtr a = constant("a", {10}, 1);
    CHECK(nodeDifference(*a, *constant("a", {10}, 1)).empty());
    CHECK_FALSE(nodeDifference(*a, *constant("a", {10}, 2)).empty());
    CHECK_FALSE(nodeDifference(*a, *constant("a", {5, 2}, 1)).empty());
    const std::vector<std::int32_t> ints(10, 1);
    CHECK_FALSE(nodeDifference(*a, *intConst("a", {10}, ints).finish()).empty());
    NodeDraft other = NodeDraft::of(*a);
    other.device = "/cpu:0";
    CHECK_FALSE(nodeDifference(*a, *other.finish()).empty());
    other = NodeDraft::of(*a);
    other.op = "Other";
    CHECK_FALSE(nodeDifference(*a, *other.finish()).empty());
    CHECK_FALSE(
        nodeDifference(*newNode("r", "Relu", {"a"}).finish(), *newNode("r", "Relu", {"b"}).finish())
            .empty());
}

TEST_CASE("T4.1: ignore_errors", "[cases]")
{
    const GraphPtr some = graph("c = Const()\n");
    CHECK(faultOf(some, "rename_op(ignore_errors=true)").empty());
    CHECK_FALSE(faultOf(some, "rename_op(ignore_errors=false)").empty());
    CHECK_FALSE(faultOf(some, "rename_op").empty());
    CHECK_FALSE(faultOf(some, "remove_device(ignore_errors=foo)").empty());
}

TEST_CASE("T4.2: a transform that does not exist", "[cases]")
{
    CHECK(faultOf(graph("p = Placeholder()\n"), "test_no_such_transform").find("not recognized") !=
          std::string::npos);
}

TEST_CASE("T4.3: constants are folded from end to end", "[cases]")
{
    const GraphPtr before =
        GraphBuilder()
            .floats("a_expect_removed", {100}, {1, 2})
            .floats("b_expect_removed", {100}, {3, 4})
            .node("add_expect_removed", "Add", {"a_expect_removed", "b_expect_removed"})
            .placeholder("placeholder_expect_remains", {100})
            .node("output_expect_remains", "Mul",
                  {"add_expect_removed", "placeholder_expect_remains"})
            .build();
    const auto read = readModelBytes(encodeGraphDef(*before), "in.pb", Job());
    REQUIRE(read.ok());
    const GraphPtr after = passed("fold_constants", read.value().graphs.front().graph,
                                  {"placeholder_expect_remains"}, {"output_expect_remains"});
    CHECK(hasNode(after, "placeholder_expect_remains"));
    CHECK(hasNode(after, "output_expect_remains"));
    for (const NodePtr& node : after->nodes())
        CHECK_FALSE(node->name().ends_with("_expect_removed"));
}

TEST_CASE("T4.4: text and binary are read alike, and what is neither is refused", "[cases]")
{
    const GraphPtr some = GraphBuilder().floats("c", {4}, {1, 2, 3, 4}).build();
    for (const std::string& bytes : {encodeGraphDef(*some), graphDefText(*some).value()}) {
        const auto read = readModelBytes(bytes, "in", Job());
        REQUIRE(read.ok());
        REQUIRE_FALSE(read.value().graphs.empty());
        CHECK(graphDifference(*read.value().graphs.front().graph, *some).empty());
    }
    CHECK_FALSE(readModel("no/such/file.pb", Job()).ok());
    const auto junk = readModelBytes("Not a !{ proto...", "in", Job());
    CHECK((!junk.ok() || junk.value().isRefused()));
}

TEST_CASE("T4.5: stripping by name", "[cases]")
{
    const GraphPtr after = passed("strip_unused_nodes",
                                  graph("const_op1 = Const()\nconst_op2 = Const()\n"
                                        "add_op = Add(const_op1, const_op2)\n"
                                        "relu_op = Relu(add_op)\n"),
                                  {}, {"add_op"});
    CHECK_FALSE(hasNode(after, "relu_op"));
    CHECK(hasNode(after, "add_op"));
}

} // namespace lapidary
