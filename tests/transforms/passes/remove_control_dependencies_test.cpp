// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {

TEST_CASE("control inputs go, data inputs stay", "[passes]")
{
    const GraphPtr before = graph("init = NoOp()\nx = Placeholder()\n"
                                  "a = Neg(x, ^init)\ny = Add(a, x, ^init, ^a)\n");
    const GraphPtr after = passed("remove_control_dependencies", before, {"x"}, {"y"});
    CHECK(inputsOf(after, "a") == "x");
    CHECK(inputsOf(after, "y") == "a, x");
    CHECK(hasNode(after, "init"));
    CHECK(passed("remove_control_dependencies", after, {"x"}, {"y"}) == after);
}

namespace {

PatternCases removeControlDependenciesPatterns(const TestFolder&)
{
    const GraphPtr late = imageInput()
                              .node("first", "NoOp")
                              .node("neg", "Neg", {"x", "^first"})
                              .node("y", "Relu", {"neg"})
                              .build();
    return {{.step = "remove_control_dependencies",
             .graph = late,
             .pattern = {"neg"},
             .nearMisses = {{"none", negated()}},
             .keepsControls = false}};
}

const CasesOf removeControlDependenciesCases("remove_control_dependencies",
                                             {.patterns = removeControlDependenciesPatterns,
                                              .sharing = {{"remove_control_dependencies", true}}});

} // namespace

} // namespace lapidary
