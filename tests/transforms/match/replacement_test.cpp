#include "tests/graph_testing.h"
#include "transforms/match/replacement.h"

#include <catch2/catch.hpp>

namespace lapidary {
namespace {

// Relu(Neg(x)) becomes Abs(x) under the name of the Relu.
Result<std::string> absolute(const Graph& base, const Match& match, Replacement& parts)
{
    NodeDraft draft = NodeDraft::of(base.node(match.node));
    draft.op = "Abs";
    draft.inputs = {std::string(base.node(match.input(0).node).inputs()[0].text)};
    parts.change(match.node, std::move(draft), {match.input(0).node});
    return std::string();
}

ReplaceOptions toAbsolute()
{
    return {{"Relu", {{"Neg", {}}}}, absolute, "made one"};
}

} // namespace

TEST_CASE("a replacement stands where the head stood, and its lineage is whole", "[replacement]")
{
    const GraphPtr before = graph("x = Placeholder()\nn = Neg(x:0)\ny = Relu(n)\nz = Exp(y)\n");
    const auto edit = replaceMatches(before, {}, toAbsolute(), Job());
    REQUIRE(edit.ok());
    CHECK(printGraph(*edit.value().graph) ==
          printGraph(*graph("x = Placeholder()\ny = Abs(x:0)\nz = Exp(y)\n")));
    const Lineage& lineage = edit.value().lineage;
    CHECK(lineage.origins[1] == std::vector<NodeId>{NodeId{2}, NodeId{1}});
    REQUIRE(lineage.removed.contains(NodeId{1}));
    CHECK(lineage.removed.at(NodeId{1}).reason == "made one");
    CHECK(lineage.removed.at(NodeId{1}).successors == std::vector<NodeId>{NodeId{1}});
    CHECK(edit.value().graph->nodes()[0] == before->nodes()[0]);
}

TEST_CASE("a node that others read, or that is an output, is not taken away", "[replacement]")
{
    const GraphPtr before = graph("x = Placeholder()\nn = Neg(x)\ny = Relu(n)\nother = Exp(n)\n");
    const auto edit = replaceMatches(before, {}, toAbsolute(), Job());
    REQUIRE(edit.ok());
    CHECK(edit.value().graph == before);
    const GraphPtr alone = graph("x = Placeholder()\nn = Neg(x)\ny = Relu(n)\n");
    PassArgs args;
    args.outputs = {"y", "n:0"};
    const auto findings = findReplacements(alone, args, toAbsolute(), Job());
    REQUIRE(findings.ok());
    REQUIRE(findings.value().size() == 1);
    CHECK(findings.value()[0].why == "n is an input or output of the model");
}

} // namespace lapidary
