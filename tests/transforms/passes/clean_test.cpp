// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_testing.h"
#include "tests/transforms/pass_testing.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {

TEST_CASE("clean goes on until nothing changes, or to its bound", "[passes]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2})
        .floats("a", {2}, {1, 2})
        .floats("b", {2}, {1, 2})
        .node("i", "Identity", {"b"})
        .node("r1", "Relu", {"a"})
        .node("r2", "Relu", {"i"})
        .node("sum", "Add", {"r1", "r2"})
        .node("y", "Mul", {"sum", "x"})
        .node("dead", "Neg", {"i"});
    const GraphPtr before = builder.build();
    const GraphPtr after = passed("clean", before, {"x"}, {"y"});
    CHECK(printGraph(*after) == "x = Placeholder()\na = Const()\nr1 = Relu(a)\nsum = Add(r1, "
                                "r1)\ny = Mul(sum, x)\n");
    CHECK(computesOther(before, after, {"y"}) == "");
    CHECK(passed("clean", after, {"x"}, {"y"}) == after);
    CHECK(passed("clean(max_rounds=1)", before, {"x"}, {"y"})->size() < before->size());
    CHECK_FALSE(applyPass("clean(max_rounds=0)", before, {"x"}, {"y"}).ok());
}

namespace {

PatternCases cleanPatterns(const TestFolder&)
{
    return {
        {"clean", twinsAndDead(), {"copy", "a", "b", "sum", "dead"}, {{"nothing", reluOnly()}}}};
}

const CasesOf cleanCases("clean", {.patterns = cleanPatterns, .sharing = {{"clean"}}});

} // namespace

} // namespace lapidary
