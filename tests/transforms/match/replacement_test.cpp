// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/constants/const_node.h"
#include "transforms/match/replacement.h"

namespace lapidary {
namespace {

// Relu(Neg(x)) becomes Abs(x) under the name of the Relu.
Rewritten absolute(const Graph& base, const Match& match, Replacement& parts)
{
    NodeDraft draft = NodeDraft::of(base.node(match.node));
    draft.op = "Abs";
    draft.inputs = {std::string(base.node(match.input(0).node).inputs()[0].text)};
    parts.change(match.node, std::move(draft), {match.input(0).node});
    return Done{};
}

ReplaceOptions toAbsolute()
{
    return {{"Relu", {{"Neg", {}}}}, absolute, "made one"};
}

} // namespace

TEST_CASE("a replacement has the position of the head, and its lineage is whole", "[replacement]")
{
    const GraphPtr before = graph("x = Placeholder()\nn = Neg(x:0)\ny = Relu(n)\nz = Exp(y)\n");
    const auto edit = replaceMatches(before, {}, toAbsolute(), Job());
    REQUIRE(edit.ok());
    CHECK(printGraph(*edit->graph) ==
          printGraph(*graph("x = Placeholder()\ny = Abs(x:0)\nz = Exp(y)\n")));
    const Lineage& lineage = edit->lineage;
    CHECK(lineage.origins[1] == std::vector<NodeId>{NodeId{2}, NodeId{1}});
    REQUIRE(lineage.removed.contains(NodeId{1}));
    CHECK(lineage.removed.at(NodeId{1}).reason == "made one");
    CHECK(lineage.removed.at(NodeId{1}).successors == std::vector<NodeId>{NodeId{1}});
    CHECK(edit->graph->nodes()[0] == before->nodes()[0]);
}

TEST_CASE("a node that others read, or that is an output, is not taken away", "[replacement]")
{
    const GraphPtr before = graph("x = Placeholder()\nn = Neg(x)\ny = Relu(n)\nother = Exp(n)\n");
    const auto edit = replaceMatches(before, {}, toAbsolute(), Job());
    REQUIRE(edit.ok());
    CHECK(edit->graph == before);
    const GraphPtr alone = graph("x = Placeholder()\nn = Neg(x)\ny = Relu(n)\n");
    PassArgs args;
    args.outputs = {"y", "n:0"};
    const auto findings = findReplacements(alone, args, toAbsolute(), Job());
    REQUIRE(findings.ok());
    REQUIRE(findings->size() == 1);
    CHECK((*findings)[0].why == "n is an input or output of the model");
}

TEST_CASE("a match lists its nodes level by level", "[replacement]")
{
    const Match fourth{NodeId{3}, {}};
    const Match match{NodeId{0}, {{NodeId{1}, {fourth}}, {NodeId{2}, {fourth}}}};
    CHECK(matchedNodes(match) == std::vector<NodeId>{NodeId{0}, NodeId{1}, NodeId{2}, NodeId{3}});
}

namespace {

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

} // namespace

TEST_CASE("every node is replaced by two", "[replacement]")
{
    ReplaceOptions options{{"*", {}}, {}, "wrapped"};
    options.rewrite = [](const Graph& base, const Match& match, Replacement& parts) {
        NodeDraft inner = NodeDraft::of(base.node(match.node));
        NodeDraft outer = newNode(inner.name, "Identity", {inner.name + "_before_identity"});
        inner.name += "_before_identity";
        parts.add(std::move(inner), {match.node});
        parts.change(match.node, std::move(outer));
        return Rewritten(Done{});
    };
    const auto edit = replaceMatches(sums().build(), {}, options, Job());
    REQUIRE(edit.ok());
    const GraphPtr& after = edit->graph;
    CHECK(after->size() == 10);
    CHECK(inputsOf(after, "output_before_identity") == "add, placeholder");
    for (const char* name : {"a", "b", "add", "placeholder", "output"})
        CHECK(inputsOf(after, name) == std::string(name) + "_before_identity");
}

TEST_CASE("a match that is left alone stays as it is", "[replacement]")
{
    ReplaceOptions options{{"Relu", {{"Const", {}}}}, {}, "never"};
    options.rewrite = [](const Graph&, const Match&, Replacement&) {
        return Rewritten(Declined{"it is not wanted"});
    };
    const GraphPtr before = graph("b = Const()\na = Relu(b)\n");
    const auto edit = replaceMatches(before, {}, options, Job());
    REQUIRE(edit.ok());
    CHECK(edit->graph == before);
    const auto findings = findReplacements(before, {}, options, Job());
    REQUIRE(findings.ok());
    REQUIRE(findings->size() == 1);
    CHECK((*findings)[0].nodes == std::vector<NodeId>{NodeId{1}, NodeId{0}});
    CHECK((*findings)[0].why == "it is not wanted");
}

namespace {

// Mul(x, k) becomes Neg(x); k stays if other nodes read it. Records the graphs that it gets.
ReplaceOptions toNegative(std::vector<const Graph*>& graphs)
{
    ReplaceOptions options{{"Mul", {{"*", {}}, {"Const", {}}}}, {}, "made a sign"};
    options.rewrite = [&graphs](const Graph& base, const Match& match, Replacement& parts) {
        if (graphs.empty() || graphs.back() != &base)
            graphs.push_back(&base);
        if (base.node(match.node).name() == "left")
            return Rewritten(Declined{"it is not wanted"});
        const NodeId factor = match.input(1).node;
        parts.keep(match.input(0).node);
        if (base.consumers(factor).size() > 1)
            parts.keep(factor);
        parts.change(match.node, newNode(std::string(base.node(match.node).name()), "Neg",
                                         {std::string(base.node(match.node).inputs()[0].text)}));
        return Rewritten(Done{});
    };
    return options;
}

} // namespace

TEST_CASE("a node that many matches share takes few rounds, and is removed when no node reads it",
          "[replacement]")
{
    constexpr int count = 200;
    GraphBuilder builder;
    builder.placeholder("x", {2}).floats("k", {2}, {-1});
    for (int i = 0; i < count; ++i)
        builder.node("y" + std::to_string(i), "Mul", {"x", "k"});
    std::vector<const Graph*> graphs;
    SECTION("all are replaced")
    {
        EditChain chain(builder.build());
        Findings findings;
        REQUIRE(replaceInChain(chain, {}, toNegative(graphs), Rounds::UntilNothingChanges, Job(),
                               &findings)
                    .ok());
        CHECK(graphs.size() < 20);
        CHECK(findings.size() == count);
        const EditResult made = std::move(chain).finish();
        CHECK(made.places == count);
        CHECK(made.graph->size() == count + 1);
        CHECK_FALSE(hasNode(made.graph, "k"));
        CHECK(made.lineage.removed.at(NodeId{1}).reason == "made a sign");
        for (int i = 0; i < count; ++i)
            CHECK(inputsOf(made.graph, "y" + std::to_string(i)) == "x");
    }
    SECTION("an output stays")
    {
        EditChain chain(builder.build());
        PassArgs args;
        args.outputs = {"k"};
        REQUIRE(replaceInChain(chain, args, toNegative(graphs), Rounds::UntilNothingChanges, Job(),
                               nullptr)
                    .ok());
        CHECK(hasNode(chain.graph(), "k"));
        CHECK(chain.graph()->size() == count + 2);
    }
    SECTION("one that is left alone keeps what it reads")
    {
        EditChain chain(builder.node("left", "Mul", {"x", "k"}).build());
        Findings findings;
        REQUIRE(replaceInChain(chain, {}, toNegative(graphs), Rounds::UntilNothingChanges, Job(),
                               &findings)
                    .ok());
        CHECK(inputsOf(chain.graph(), "left") == "x, k");
        CHECK(findings.back().why == "it is not wanted");
    }
}

} // namespace lapidary
