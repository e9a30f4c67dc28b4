// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {

TEST_CASE("remove_dead_nodes keeps what outputs and inputs need", "[passes]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2})
        .placeholder("unused_input", {2})
        .node("y", "Neg", {"x", "^ready"})
        .node("ready", "NoOp")
        .node("loss", "Relu", {"y"});
    const GraphPtr before = builder.build();
    const GraphPtr after = passed("remove_dead_nodes", before, {"x", "unused_input"}, {"y"});
    CHECK_FALSE(hasNode(after, "loss"));
    CHECK(after->size() == 4);
    CHECK(passed("remove_dead_nodes", before, {"x"}, {}) == before);
    CHECK_FALSE(applyPass("remove_dead_nodes", before, {"x"}, {"nowhere"}).ok());
}

TEST_CASE("nodes that no output needs go, inputs stay", "[passes]")
{
    const GraphPtr before = graph("x = Placeholder()\nunread = Placeholder()\nfirst = NoOp()\n"
                                  "n = Neg(x)\ny = Relu(n, ^first)\nloss = Sum(n, x)\n");
    CHECK(namesOf(passed("remove_dead_nodes", before, {"x", "unread"}, {"y"})) ==
          Strings{"x", "unread", "first", "n", "y"});
    CHECK(namesOf(passed("remove_dead_nodes", before, {"x"}, {"y:0"})) ==
          Strings{"x", "first", "n", "y"});
}

TEST_CASE("without outputs nothing is dead", "[passes]")
{
    const GraphPtr before = graph("x = Placeholder()\ny = Relu(x)\nloss = Neg(x)\n");
    CHECK(passed("remove_dead_nodes", before, {"x"}, {}) == before);
}

namespace {

PatternCases removeDeadNodesPatterns(const TestFolder&)
{
    return {{"remove_dead_nodes", twinsAndDead(), {"dead"}, {{"nothing", reluOnly()}}}};
}

const CasesOf removeDeadNodesCases("remove_dead_nodes", {.patterns = removeDeadNodesPatterns,
                                                         .sharing = {{"remove_dead_nodes"}}});

} // namespace

} // namespace lapidary
