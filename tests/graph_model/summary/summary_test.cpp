// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/text.h"
#include "graph_model/summary/number_text.h"
#include "graph_model/summary/readable_summary.h"
#include "graph_model/summary/summary.h"
#include "graph_model/summary/tensor_values_text.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

namespace lapidary {
namespace {

GraphPtr graphOf(const NodeDraft& draft)
{
    Graph::Parts parts;
    parts.nodes.push_back(draft.finish());
    return Graph::make(std::move(parts));
}

std::vector<std::string> orderOf(const Graph& graph)
{
    std::vector<std::string> names;
    const auto order = executionOrder(graph);
    if (!order)
        return {order.error().message};
    for (const NodeId id : *order)
        names.emplace_back(graph.node(id).name());
    return names;
}

} // namespace

TEST_CASE("execution order takes the last source first", "[summary]")
{
    using Names = std::vector<std::string>;
    CHECK(orderOf(*graph("add = Add(a, b)\nb = Const()\na = Const()")) == Names{"a", "b", "add"});
    CHECK(orderOf(*graph(R"(add1 = Add(add2, add3)
                            add2 = Add(c1, c2)
                            add3 = Add(c1, c3)
                            c1 = Const()
                            c2 = Const()
                            c3 = Const())")) == Names{"c3", "c2", "c1", "add3", "add2", "add1"});
    CHECK(orderOf(*graph(R"(enter = Enter(c)
                            merge = Merge(enter, next)
                            lt = Less(merge, lim)
                            cond = LoopCond(lt)
                            sw = Switch(merge, cond)
                            exit = Exit(sw)
                            id = Identity(sw:1)
                            add = Add(id, one)
                            next = NextIteration(add)
                            c = Const()
                            lim = Const()
                            one = Const(^id))")) == Names{"lim", "c", "enter", "merge", "lt",
                                                          "cond", "sw", "id", "one", "add", "next",
                                                          "exit"});
    CHECK(orderOf(*graph("a = Relu(b)\nb = Relu(a)")) == Names{"2 nodes in a cycle"});
}

TEST_CASE("execution order reads the last node of a name, and only what is before a colon",
          "[summary]")
{
    using Names = std::vector<std::string>;
    // The second a waits for b, so that what reads a waits for b as well.
    CHECK(orderOf(*graph("a = Const()\nb = Const()\na = Relu(b)\nr = Relu(a)\ns = Relu(^a)")) ==
          Names{"b", "a", "s", "r", "a"});
    CHECK(orderOf(*graph("a = Const()\nr = Relu(a:out:1)\ns = Relu(r:2)")) == Names{"a", "r", "s"});
    CHECK(orderOf(*graph("a = Const()\na = Const()\nr = Relu(b:1)")) ==
          Names{"Node 'r': Unknown input node 'b:1'"});
}

TEST_CASE("the report follows the original, the summary its corrections", "[summary]")
{
    const GraphPtr odd = graph(R"(x = Placeholder()
                                  y = Relu(x, ^n)
                                  n = NoOp()
                                  z = Relu(missing))");
    const SummaryText text = summarizeGraphText(*odd, "a.pb", false);
    CHECK(text.error == "Invalid graph with inputs referring to nonexistent nodes");
    CHECK(text.text.find("Invalid input missing for node z\n") != std::string::npos);
    const Summary summary = summarize(*odd);
    CHECK(summary.controlEdges == 1);
    CHECK(summary.ops.at("Relu") == 2);
    REQUIRE(summary.outputs.size() == 2);
    CHECK(odd->node(summary.outputs[0]).name() == "y");
}

TEST_CASE("an empty input string does not crash", "[summary]")
{
    NodeDraft draft;
    draft.name = "a";
    draft.op = "Relu";
    draft.inputs = {""};
    const GraphPtr odd = graphOf(draft);
    const SummaryText text = summarizeGraphText(*odd, "a.pb", true);
    CHECK(text.text.find("Invalid input  for node a\n") != std::string::npos);
}

TEST_CASE("variables count by their shape", "[summary]")
{
    NodeDraft draft;
    draft.name = "v";
    draft.op = "VarHandleOp";
    draft.setAttr("shape", attr::fromShape({{3, 5}, false}));
    CHECK(summarize(*graphOf(draft)).variableParameters == 15);
    CHECK(readableSummaryText(*graphOf(draft), false)
              .text.find("Found 1 variable: (name=v, type=INVALID(0), shape=[3,5]) \n") !=
          std::string::npos);
    CHECK(readableSummaryText(*graphOf(draft), false).text.find("15 (15) variable parameters") !=
          std::string::npos);
    CHECK(summarizeGraphText(*graphOf(draft), "a.pb", false).text.find("No variables spotted") !=
          std::string::npos); // as the original
    draft.setAttr("shape", attr::fromShape({{3, -1}, false}));
    CHECK(summarize(*graphOf(draft)).variableParameters == 0);
}

TEST_CASE("numbers for people", "[summary]")
{
    CHECK(humanReadableNumber(999) == "999");
    CHECK(humanReadableNumber(1000) == "1.00k");
    CHECK(humanReadableNumber(999999) == "1000.00k");
    CHECK(humanReadableNumber(23885411) == "23.89M");
    CHECK(humanReadableNumber(1200000000) == "1.20B");
    CHECK(humanReadableNumber(1200000000000000) == "1.2E+15");
    CHECK(humanReadableNumber(-2500) == "-2.50k");
    CHECK(floatText(0.1F) == "0.1");
    CHECK(floatText(1.0F / 3) == "0.333333343");
    CHECK(floatText(3e10F) == "3e+10");
    CHECK(doubleText(1.0 / 3) == "0.33333333333333331");
    CHECK(escapedBytes("a\n\"\\\x01\xC3") == "a\\n\\\"\\\\\\001\\303");
}

} // namespace lapidary
