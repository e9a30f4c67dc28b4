// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {

TEST_CASE("remove_training_nodes takes out checks and copies", "[passes]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2})
        .node("check", "CheckNumerics", {"x"}, {{"message", attr::fromString("m")}})
        .node("copy", "Identity", {"x", "^check"})
        .node("y", "Add", {"copy", "x"});
    const GraphPtr before = builder.build();
    const GraphPtr after = passed("remove_training_nodes", before, {"x"}, {"y"});
    CHECK(printGraph(*after) == "x = Placeholder()\ny = Add(x, x)\n");
    CHECK(computesOther(before, after, {"y"}) == "");
    CHECK(passed("remove_training_nodes", after, {"x"}, {"y"}) == after);
}

TEST_CASE("the readers of a check read the value that it checked", "[passes]")
{
    GraphBuilder builder;
    builder.node("late", "NoOp")
        .placeholder("x", {2})
        .node("c", "CheckNumerics", {"x", "^late"}, {{"message", attr::fromString("m")}})
        .node("d", "CheckNumerics", {"c:0"}, {{"message", attr::fromString("m")}})
        .node("y", "Relu", {"d"})
        .node("z", "NoOp", {"^c"});
    const GraphPtr before = builder.build();
    const GraphPtr after = passed("remove_training_nodes", before, {"x"}, {"y"});
    CHECK(inputsOf(after, "y") == "x, ^late");
    CHECK(inputsOf(after, "z") == "^late");
    CHECK(computesOther(before, after, {"y"}) == "");
}

TEST_CASE("copies that order nodes, are named or copy a variable stay", "[passes]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2})
        .node("first", "NoOp")
        .node("waits", "Identity", {"x", "^first"})
        .node("orders", "Identity", {"x"})
        .node("after", "NoOp", {"^orders"})
        .node("kept", "Identity", {"x"})
        .node("v", "VariableV2", {}, {{"shape", attr::fromShape({{2}, false})}})
        .node("read", "Identity", {"v"})
        .node("a", "Add", {"waits", "orders"})
        .node("b", "Add", {"kept", "read"})
        .node("y", "Add", {"a", "b"})
        .node("out", "Identity", {"y"});
    const GraphPtr before = builder.build();
    CHECK(passed("remove_training_nodes(protected=kept)", before, {"x"}, {"out"}) == before);
    const Pass* pass = findPass("remove_training_nodes");
    const auto findings = pass->find(before, {{"x"}, {"out"}, {}}, Job());
    REQUIRE(findings.ok());
    CHECK(findings->size() == 5);
    CHECK(matchesOf(*findings) == 1); // kept, which nothing protects now
}

namespace {

PatternCases removeTrainingNodesPatterns(const TestFolder&)
{
    return {{"remove_training_nodes", copyAndDead(), {"copy"}, {{"no copy", reluOnly()}}}};
}

const CasesOf removeTrainingNodesCases("remove_training_nodes",
                                       {.patterns = removeTrainingNodesPatterns,
                                        .sharing = {{"remove_training_nodes"}}});

} // namespace

} // namespace lapidary
