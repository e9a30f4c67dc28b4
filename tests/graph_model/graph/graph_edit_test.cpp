// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/graph_edit.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

using namespace lapidary;

namespace {

NodeDraft draft(std::string name, std::string op, std::vector<std::string> inputs)
{
    NodeDraft made;
    made.name = std::move(name);
    made.op = std::move(op);
    made.inputs = std::move(inputs);
    return made;
}

// Returns the printed result, or the error.
std::string printed(GraphEdit& edit)
{
    const Result<EditResult> result = std::move(edit).finish();
    return result.ok() ? printGraph(*result->graph) : "error: " + result.error().message;
}

std::string want(std::string_view text)
{
    return printGraph(*graph(text));
}

// Returns whether the graph answers like one that is built anew from its nodes.
bool answersAsNew(const Graph& graph)
{
    Graph::Parts parts;
    parts.nodes.assign(graph.nodes().begin(), graph.nodes().end());
    const GraphPtr anew = Graph::make(std::move(parts));
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        if (graph.find(graph.node(NodeId{i}).name()) != anew->find(anew->node(NodeId{i}).name()) ||
            !std::ranges::equal(graph.inputs(NodeId{i}), anew->inputs(NodeId{i})) ||
            !std::ranges::equal(graph.consumers(NodeId{i}), anew->consumers(NodeId{i})))
            return false;
    return graph.edgeCount() == anew->edgeCount() &&
           graph.namesAreUnique() == anew->namesAreUnique();
}

const char* const chain = R"(c = NoOp()
                             x = Placeholder()
                             i = Identity(x, ^c)
                             y = Relu(i)
                             z = NoOp(^i))";

} // namespace

TEST_CASE("edit: nothing asked for gives the same graph", "[edit]")
{
    const GraphPtr base = graph(chain);
    const auto result = GraphEdit(base).finish();
    REQUIRE(result.ok());
    CHECK(result->graph == base);
    CHECK(result->changes == 0);
    CHECK(result->lineage.origins.size() == base->size());
    CHECK(result->lineage.successor[3] == NodeId{3});
}

TEST_CASE("edit: a change to what is there already is none", "[edit]")
{
    const GraphPtr base = graph(chain);
    GraphEdit edit(base);
    edit.replace(base->find("i"), NodeDraft::of(base->node(base->find("i"))));
    edit.rename(base->find("y"), "y");
    edit.redirect("unused", "x");
    const auto result = std::move(edit).finish();
    REQUIRE(result.ok());
    CHECK(result->graph == base);
}

TEST_CASE("edit: bypass moves input and control inputs to the readers", "[edit]")
{
    const GraphPtr base = graph(chain);
    GraphEdit edit(base);
    edit.bypass(base->find("i"), "did nothing");
    const auto result = std::move(edit).finish();
    REQUIRE(result.ok());
    CHECK(printGraph(*result->graph) == want(R"(c = NoOp()
                                                       x = Placeholder()
                                                       y = Relu(x, ^c)
                                                       z = NoOp(^x, ^c))"));
    CHECK(result->graph->nodes()[0] == base->nodes()[0]);
    CHECK(result->graph->nodes()[1] == base->nodes()[1]);
    CHECK(result->changes == 3);
    const Lineage& lineage = result->lineage;
    REQUIRE(lineage.removed.count(base->find("i")) == 1);
    CHECK(lineage.removed.at(base->find("i")).reason == "did nothing");
    CHECK(lineage.removed.at(base->find("i")).successors == std::vector<NodeId>{NodeId{1}});
    CHECK_FALSE(lineage.successor[2].isValid());
    CHECK(lineage.successor[3] == NodeId{2});
    CHECK(lineage.origins[2] == std::vector<NodeId>{NodeId{3}});
}

TEST_CASE("edit: a row of bypassed nodes", "[edit]")
{
    const GraphPtr base = graph(R"(s = Split()
                                   a = Identity(s:1)
                                   b = Identity(a, ^s)
                                   y = Relu(b, b:0, ^a))");
    GraphEdit edit(base);
    edit.bypass(base->find("b"), "");
    edit.bypass(base->find("a"), "");
    CHECK(printed(edit) == want(R"(s = Split()
                                   y = Relu(s:1, s:1))"));
}

TEST_CASE("edit: what cannot be bypassed is named", "[edit]")
{
    const GraphPtr base = graph(R"(a = NoOp()
                                   s = Switch(a)
                                   y = Relu(s:1)
                                   l = Identity(l))");
    GraphEdit none(base);
    none.bypass(base->find("a"), "");
    CHECK(printed(none) == "error: a: cannot be bypassed, it has no data input");
    GraphEdit other(base);
    other.bypass(base->find("s"), "");
    CHECK(printed(other) == "error: s: cannot be bypassed, its output 1 is read");
    GraphEdit circle(base);
    circle.bypass(base->find("l"), "");
    CHECK(printed(circle).starts_with("a = NoOp")); // nothing reads it
}

TEST_CASE("edit: rename follows every kind of reference", "[edit]")
{
    const GraphPtr base = graph(R"(s = Split()
                                   ss = Split()
                                   y = AddN(s, s:1, ss:1, ^s))");
    GraphEdit edit(base);
    edit.rename(base->find("s"), "new/s");
    edit.add(draft("z", "Relu", {"s:2"}));
    CHECK(printed(edit) == want(R"(new/s = Split()
                                   ss = Split()
                                   y = AddN(new/s, new/s:1, ss:1, ^new/s)
                                   z = Relu(new/s:2))"));
}

TEST_CASE("edit: many names change places, and odd ones are read anew", "[edit]")
{
    const GraphPtr base = graph(R"(a = Split()
                                   b = Split()
                                   c = Const()
                                   y = AddN(a:1, b:0, c, nowhere:2, ^a)
                                   z = Relu(c))");
    GraphEdit edit(base);
    edit.rename(base->find("a"), "b");
    edit.rename(base->find("b"), "a");
    edit.rename(base->find("c"), "c");
    const auto edited = std::move(edit).finish();
    REQUIRE(edited.ok());
    const Graph& after = *edited->graph;
    CHECK(edited->changes == 3);
    CHECK(after.nodes()[4] == base->nodes()[4]);
    CHECK(after.inputs(NodeId{3})[0] == Endpoint{NodeId{0}, 1});
    CHECK(after.inputs(NodeId{3})[1] == Endpoint{NodeId{1}, 0});
    CHECK(after.inputs(NodeId{3})[2] == Endpoint{NodeId{2}, 0});
    CHECK(after.node(NodeId{3}).inputs()[1].text == "a:0");
    CHECK(after.node(NodeId{3}).inputs()[3].text == "nowhere:2");
    CHECK(after.inputs(NodeId{3})[4] == Endpoint{NodeId{0}, -1});

    GraphEdit odd(base);
    odd.rename(base->find("a"), "d:7");
    const auto oddly = std::move(odd).finish();
    REQUIRE(oddly.ok());
    CHECK(oddly->graph->node(NodeId{3}).inputs()[0].text == "d:7:1");
    CHECK(oddly->graph->node(NodeId{3}).inputs()[0].node == "d");
}

TEST_CASE("edit: redirect moves the readers of one output", "[edit]")
{
    const GraphPtr base = graph(R"(s = Split()
                                   x = Const()
                                   y = AddN(s, s:0, s:1, ^s))");
    GraphEdit edit(base);
    edit.redirect("s:0", "x");
    CHECK(printed(edit) == want(R"(s = Split()
                                   x = Const()
                                   y = AddN(x, x, s:1, ^s))"));
    GraphEdit control(base);
    control.redirect("^s", "^x");
    CHECK(printed(control) == want(R"(s = Split()
                                      x = Const()
                                      y = AddN(s, s:0, s:1, ^x))"));
}

TEST_CASE("edit: a node put in between", "[edit]")
{
    const GraphPtr base = graph(R"(x = Placeholder()
                                   y = Relu(x))");
    GraphEdit edit(base);
    edit.add(draft("q", "Quantize", {"x"}), {base->find("x")});
    edit.redirect("x", "q");
    CHECK(printed(edit) == want(R"(x = Placeholder()
                                   y = Relu(q)
                                   q = Quantize(x))"));
}

TEST_CASE("edit: redirects are followed, circles refused", "[edit]")
{
    const GraphPtr base = graph(R"(a = Const()
                                   b = Const()
                                   c = Const()
                                   y = Relu(a))");
    GraphEdit edit(base);
    edit.redirect("a", "b");
    edit.redirect("b", "c");
    CHECK(printed(edit).ends_with("y = Relu(c)\n"));
    GraphEdit circle(base);
    circle.redirect("a", "b");
    circle.redirect("b", "a");
    CHECK(printed(circle).starts_with("error: y: "));
}

TEST_CASE("edit: replaced nodes keep their place", "[edit]")
{
    const GraphPtr base = graph(chain);
    GraphEdit edit(base);
    edit.replace(base->find("i"), draft("i", "Relu6", {"x"}));
    edit.remove(base->find("z"), "not wanted");
    const auto result = std::move(edit).finish();
    REQUIRE(result.ok());
    CHECK(printGraph(*result->graph) == want(R"(c = NoOp()
                                                       x = Placeholder()
                                                       i = Relu6(x)
                                                       y = Relu(i))"));
    CHECK(result->lineage.successor[2] == NodeId{2});
    CHECK(result->lineage.removed.at(NodeId{4}).successors.empty());
    CHECK(result->graph->nodes()[3] == base->nodes()[3]);
}

TEST_CASE("edit: a folded node's work goes on in what replaces it", "[edit]")
{
    const GraphPtr base = graph(chain);
    GraphEdit edit(base);
    edit.remove(base->find("i"), "folded into w");
    edit.add(draft("w", "Const", {}), {base->find("i")});
    const auto result = std::move(edit).finish();
    REQUIRE(result.ok());
    CHECK(result->lineage.removed.at(NodeId{2}).successors == std::vector<NodeId>{NodeId{4}});
}

TEST_CASE("edit: names have to stay unique", "[edit]")
{
    const GraphPtr base = graph(chain);
    GraphEdit renamed(base);
    renamed.rename(base->find("x"), "y");
    CHECK(printed(renamed) == "error: y: another node has this name already");
    GraphEdit added(base);
    added.add(draft("c", "Const", {}));
    CHECK(printed(added) == "error: c: another node has this name already");
    GraphEdit twice(base);
    twice.add(draft("n", "Const", {}));
    twice.add(draft("n", "Const", {}));
    CHECK(printed(twice) == "error: n: another node has this name already");
    GraphEdit freed(base);
    freed.remove(base->find("z"), "");
    freed.rename(base->find("y"), "z");
    CHECK(printed(freed).ends_with("z = Relu(i)\n"));
    GraphEdit swapped(base);
    swapped.rename(base->find("x"), "c");
    swapped.rename(base->find("c"), "x");
    CHECK(printed(swapped).starts_with("x = NoOp()\nc = Placeholder()\ni = Identity(c, ^x)\n"));
}

TEST_CASE("edit: a graph with names used twice can still be edited", "[edit]")
{
    const GraphPtr base = graph(R"(a = Const()
                                   a = Const()
                                   y = Relu(a))");
    GraphEdit edit(base);
    edit.rename(NodeId{1}, "b");
    CHECK(printed(edit) == want(R"(a = Const()
                                   b = Const()
                                   y = Relu(a))"));
    GraphEdit other(base);
    other.rename(base->find("y"), "z");
    CHECK(printed(other).ends_with("z = Relu(a)\n"));
}

TEST_CASE("edit: versions, library and unknown fields stay", "[edit]")
{
    Graph::Parts parts;
    parts.nodes = {draft("a", "NoOp", {}).finish()};
    parts.versions.producer = 27;
    parts.unknownFields = std::string("\xFA\x01\x00", 3);
    const GraphPtr base = Graph::make(std::move(parts));
    GraphEdit edit(base);
    edit.rename(NodeId{0}, "b");
    const auto result = std::move(edit).finish();
    REQUIRE(result.ok());
    CHECK(result->graph->versions() == base->versions());
    CHECK(result->graph->unknownFields() == base->unknownFields());
}

TEST_CASE("edit: edges are found again only where any may have changed", "[edit]")
{
    const GraphPtr base = graph(chain);
    const auto after = [&](auto change) {
        GraphEdit edit(base);
        change(edit);
        const auto result = std::move(edit).finish();
        REQUIRE(result.ok());
        REQUIRE(result->graph != base);
        return result->graph;
    };
    const auto isShared = [&](const Graph& graph) {
        return graph.inputs(NodeId{2}).data() == base->inputs(NodeId{2}).data();
    };
    const GraphPtr placed = after([](GraphEdit& edit) {
        GraphEdit::Fields fields;
        fields.op = "Snapshot";
        fields.device = "/cpu:0";
        edit.setFields(NodeId{2}, fields);
        edit.replace(NodeId{3}, draft("y", "Relu6", {"i"}));
    });
    CHECK(isShared(*placed));
    CHECK(answersAsNew(*placed));

    const GraphPtr changed[] = {
        after([](GraphEdit& edit) { edit.rename(NodeId{1}, "w"); }),
        after([](GraphEdit& edit) { edit.rename(NodeId{4}, "unread"); }),
        after([](GraphEdit& edit) { edit.replace(NodeId{3}, draft("y", "Relu", {"x"})); }),
        after([](GraphEdit& edit) { edit.replace(NodeId{3}, draft("v", "Relu", {"i"})); }),
        after([](GraphEdit& edit) { edit.remove(NodeId{4}, "not wanted"); }),
        after([](GraphEdit& edit) { edit.bypass(NodeId{2}, "does nothing"); }),
        after([](GraphEdit& edit) { edit.redirect("i", "x"); }),
        after([](GraphEdit& edit) { edit.add(draft("n", "Relu", {"y"})); }),
        after([](GraphEdit& edit) { edit.moveTo(NodeId{3}, NodeId{0}); }),
    };
    for (const GraphPtr& graph : changed) {
        CHECK_FALSE(isShared(*graph));
        CHECK(answersAsNew(*graph));
    }
}
