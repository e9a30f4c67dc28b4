// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/graph_edit.h"
#include "graph_model/graph/node_maker.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

#include <algorithm>

namespace lapidary {
namespace {

GraphPtr sums()
{
    return graph("a = Const()\nb = Const()\nadd = Add(a, b)\nplaceholder = Placeholder()\n"
                 "output = Mul(add, placeholder)\n");
}

std::string inputsOf(const GraphPtr& graph, std::string_view name)
{
    std::string text;
    for (const Input& input : graph->node(graph->find(name)).inputs())
        text += (text.empty() ? "" : ", ") + std::string(input.text);
    return text;
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

} // namespace

TEST_CASE("parts of an input", "[graph]")
{
    CHECK(parseInput("some_node_name").node == "some_node_name");
    CHECK_FALSE(parseInput("some_node_name").isControl());
    CHECK(parseInput("some_node_name/with/slashes").node == "some_node_name/with/slashes");
    CHECK(parseInput("some_node_name:0").node == "some_node_name");
    CHECK(parseInput("some_node_name:0").port == 0);
    CHECK(parseInput("^some_node_name").isControl());
    CHECK(parseInput("^some_node_name").node == "some_node_name");
}

TEST_CASE("the node of an input", "[graph]")
{
    for (const char* text : {"node_name", "node_name:0", "^node_name"})
        CHECK(parseInput(text).node == "node_name");
    // A control input with a port is not valid in any graph; it leads to no node.
    CHECK(parseInput("^node_name:42").isControl());
}

TEST_CASE("an input without a port means port 0", "[graph]")
{
    CHECK(parseInput("node_name").port == parseInput("node_name:0").port);
    CHECK(parseInput("^node_name").port == -1);
    CHECK(redirected("a = Const()\nb = Const()\ny = Add(a, a:0, ^a)\n", {{"a", "b"}})
              .value()
              .graph->node(NodeId{2})
              .inputs()[1]
              .text == "b");
}

TEST_CASE("nodes are found by name, and their readers", "[graph]")
{
    const GraphPtr graph = sums();
    for (const char* name : {"a", "b", "add", "placeholder", "output"})
        CHECK(graph->find(name).isValid());
    CHECK_FALSE(graph->find("no_such_node").isValid());
    CHECK(readersOf(graph, "a") == std::vector<std::string>{"add"});
    CHECK(readersOf(graph, "b") == std::vector<std::string>{"add"});
    CHECK(readersOf(graph, "add") == std::vector<std::string>{"output"});
    CHECK(readersOf(graph, "placeholder") == std::vector<std::string>{"output"});
    CHECK(readersOf(graph, "output").empty());
}

TEST_CASE("a node is taken out", "[edit]")
{
    const GraphPtr before = graph(printGraph(*sums()) + "remove_me = Add(output, add)\n");
    GraphEdit edit(before);
    edit.remove(before->find("remove_me"), "not wanted");
    const auto after = std::move(edit).finish();
    REQUIRE(after.ok());
    CHECK(printGraph(*after->graph) == printGraph(*sums()));
}

TEST_CASE("an attribute is taken out", "[edit]")
{
    NodeDraft draft;
    draft.name = "x";
    draft.op = "Placeholder";
    draft.setAttr("dtype", attr::fromType(DType::Float));
    REQUIRE(draft.finish()->hasAttr("dtype"));
    draft.removeAttr("dtype");
    CHECK_FALSE(draft.finish()->hasAttr("dtype"));
}

TEST_CASE("readers are redirected", "[edit]")
{
    const auto edit = redirected("a = Const()\nb = Const()\nadd = Add(a, a)\n", {{"a", "b"}});
    REQUIRE(edit.ok());
    CHECK(inputsOf(edit->graph, "add") == "b, b");
}

TEST_CASE("readers are redirected from one node to the next", "[edit]")
{
    const auto edit = redirected("a = Const()\nb = Const()\nc = Const()\nd = Const()\ne = Const()\n"
                                 "f = Const()\nadd = Add(a, b)\n",
                                 {{"a", "f"}, {"f", "e"}, {"e", "d"}, {"d", "c"}});
    REQUIRE(edit.ok());
    CHECK(inputsOf(edit->graph, "add") == "c, b");
}

TEST_CASE("readers are never redirected in a circle", "[edit]")
{
    const auto edit = redirected("a = Const()\nb = Const()\nd = Const()\nadd = Add(a, b)\n",
                                 {{"a", "d"}, {"d", "a"}});
    REQUIRE_FALSE(edit.ok());
    CHECK(edit.error().message.find("circle") != std::string::npos);
}

TEST_CASE("a long row of nodes that go, each with a reader of its own", "[edit]")
{
    constexpr int length = 50'000;
    std::string text = "x = Placeholder()\n";
    for (int i = 0; i < length; ++i) {
        const std::string own = std::to_string(i);
        const std::string before = i == 0 ? "x" : "i" + std::to_string(i - 1);
        text += "i" + own + " = Identity(" + before + ")\nr" + own + " = Relu(i" + own + ", ^i" +
                own + ")\n";
    }
    const GraphPtr base = graph(text);
    GraphEdit bypassed(base);
    GraphEdit redirected(base);
    for (int i = 0; i < length; ++i) {
        const std::string own = "i" + std::to_string(i);
        bypassed.bypass(base->find(own), "it only copies");
        redirected.redirect(own, i == 0 ? "x" : "i" + std::to_string(i - 1));
        redirected.remove(base->find(own), "its readers read on");
    }
    const auto without = std::move(bypassed).finish();
    REQUIRE(without);
    CHECK(without->graph->size() == length + 1);
    CHECK(inputsOf(without->graph, "r49999") == "x");
    CHECK(without->lineage.removed.at(base->find("i49999")).successors ==
          std::vector<NodeId>{NodeId{0}});
    const auto moved = std::move(redirected).finish();
    REQUIRE(moved);
    CHECK(inputsOf(moved->graph, "r49999") == "x, ^i49999");
}

TEST_CASE("control inputs of nodes that go are not copied by the million", "[edit]")
{
    const auto edited = [](int controls, int readers) {
        std::string text = "x = Placeholder()\n";
        std::string inputs = "x";
        for (int i = 0; i < controls; ++i) {
            text += "n" + std::to_string(i) + " = NoOp()\n";
            inputs += ", ^n" + std::to_string(i);
        }
        text += "i = Identity(" + inputs + ")\n";
        for (int i = 0; i < readers; ++i)
            text += "r" + std::to_string(i) + " = Relu(i)\n";
        const GraphPtr base = graph(text);
        GraphEdit edit(base);
        edit.bypass(base->find("i"), "it only copies");
        return std::move(edit).finish();
    };
    const auto some = edited(100, 100);
    REQUIRE(some);
    CHECK(some->graph->edgeCount() == 100 * 101);
    const auto many = edited(1001, 1001);
    REQUIRE_FALSE(many);
    CHECK(many.error().message ==
          "r999: without the nodes before it, it and others would have millions of control "
          "inputs; keep some of these nodes");
}

TEST_CASE("a circle of nodes that go with control inputs is named", "[edit]")
{
    const GraphPtr base = graph("n = NoOp()\na = Identity(b, ^n)\nb = Identity(a, ^n)\n"
                                "y = Relu(a)\n");
    GraphEdit edit(base);
    edit.bypass(base->find("a"), "it only copies");
    edit.bypass(base->find("b"), "it only copies");
    const auto result = std::move(edit).finish();
    REQUIRE_FALSE(result);
    CHECK(result.error().message == "y: its input a is redirected in a circle");
}

TEST_CASE("a renamed node is read by the same ports", "[edit]")
{
    const GraphPtr before = graph("quantize_a = Op()\nadd = Add(quantize_a:1, quantize_a:2)\n");
    GraphEdit edit(before);
    edit.rename(NodeId{0}, "quantize_b");
    const auto after = std::move(edit).finish();
    REQUIRE(after.ok());
    CHECK(inputsOf(after->graph, "add") == "quantize_b:1, quantize_b:2");
}

TEST_CASE("nodes that are added keep what they read", "[edit]")
{
    const GraphPtr before = graph("a = Const()\nb = Const()\nadd = Add(a, a)\n");
    GraphEdit edit(before);
    edit.redirect("a", "b");
    NodeDraft added;
    added.name = "add2";
    added.op = "Add";
    added.inputs = {"a", "a"};
    edit.add(std::move(added), {NodeId{2}});
    const auto after = std::move(edit).finish();
    REQUIRE(after.ok());
    CHECK(inputsOf(after->graph, "add") == "b, b");
    CHECK(inputsOf(after->graph, "add2") == "a, a");
}

} // namespace lapidary
