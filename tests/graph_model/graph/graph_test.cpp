// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/graph.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

namespace lapidary {
namespace {

TEST_CASE("an input string says node, port and control", "[graph]")
{
    CHECK(parseInput("a").node == "a");
    CHECK(parseInput("a").port == 0);
    CHECK(parseInput("scope/a:3").node == "scope/a");
    CHECK(parseInput("scope/a:3").port == 3);
    CHECK(parseInput("^a").isControl());
    CHECK(parseInput("^a").node == "a");
    CHECK(parseInput("f:out:1").node == "f");
    CHECK(parseInput("f:out:1").output == "out");
    CHECK(parseInput("f:out:1").port == 1);
    CHECK(parseInput("f:out").output == "out");
    CHECK(parseInput("a:99999999999").output == "99999999999");
}

TEST_CASE("inputs resolve and readers are found in order", "[graph]")
{
    const GraphPtr g = graph(R"(x = Placeholder()
                                s = Split(x)
                                y = Add(s:1, s, ^x)
                                z = Relu(gone))");
    REQUIRE(g->size() == 4);
    CHECK(g->edgeCount() == 5);
    const NodeId s = g->find("s");
    CHECK(g->inputs(g->find("y"))[0] == Endpoint{s, 1});
    CHECK(g->inputs(g->find("y"))[2] == Endpoint{g->find("x"), -1});
    CHECK_FALSE(g->inputs(g->find("z"))[0].node.isValid());
    REQUIRE(g->consumers(s).size() == 2);
    CHECK(g->consumers(s)[0] == Consumer{g->find("y"), 0, 1});
    CHECK(g->consumers(s)[1] == Consumer{g->find("y"), 1, 0});
    CHECK_FALSE(g->find("gone").isValid());
}

TEST_CASE("the first of two nodes owns the name", "[graph]")
{
    const GraphPtr g = graph("a = NoOp()\na = Relu(a)");
    CHECK(g->size() == 2);
    CHECK(g->find("a") == NodeId{0});
    CHECK(g->inputs(NodeId{1})[0].node == NodeId{0});
}

TEST_CASE("the topological order survives loops and cycles", "[graph]")
{
    const GraphPtr g = graph(R"(b = Relu(a)
                                a = Placeholder()
                                m = Merge(b, n)
                                n = NextIteration(m)
                                p = Add(q)
                                q = Add(p))");
    std::vector<std::string_view> names;
    for (const NodeId id : topologicalOrder(*g))
        names.push_back(g->node(id).name());
    CHECK(names == std::vector<std::string_view>{"a", "b", "m", "n", "p", "q"});
}

TEST_CASE("attributes are decoded when asked", "[graph]")
{
    NodeDraft draft{.name = "n",
                    .op = "Conv2D",
                    .device = "/cpu:0",
                    .inputs = {},
                    .attrs = {},
                    .unknownFields = {}};
    draft.setAttr("T", attr::fromType(DType::Float));
    draft.setAttr("strides", attr::fromInts({1, -2, 300, 1}));
    draft.setAttr("padding", attr::fromString("SAME"));
    draft.setAttr("shape", attr::fromShape({{-1, 0, 3}, false}));
    draft.setAttr("e", attr::fromFloat(0.5F));
    draft.setAttr("b", attr::fromBool(false));
    const NodePtr node = draft.finish();
    CHECK(node->attr("T").asType() == DType::Float);
    CHECK(node->attr("strides").ints() == std::vector<std::int64_t>{1, -2, 300, 1});
    CHECK(node->attr("strides").text() == "[1, -2, 300, 1]");
    CHECK(node->attr("padding").asString() == "SAME");
    CHECK(node->attr("shape").asShape() == Shape{{-1, 0, 3}, false});
    CHECK(node->attr("shape").text() == "?×0×3");
    CHECK(node->attr("e").asFloat() == 0.5F);
    CHECK(node->attr("b").asBool() == false);
    CHECK(node->attr("gone").kind() == AttrKind::None);
    CHECK(NodeDraft::of(*node).encode() == node->encodedCopy());
}

} // namespace
} // namespace lapidary
