// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {

TEST_CASE("remove_identity lets readers read what was copied", "[passes]")
{
    GraphBuilder builder;
    builder.node("c", "NoOp")
        .placeholder("x", {2})
        .node("i", "Identity", {"x", "^c"})
        .node("s", "StopGradient", {"i"})
        .node("y", "Relu", {"s"})
        .node("z", "NoOp", {"^s"});
    const GraphPtr before = builder.build();
    const GraphPtr after = passed("remove_identity", before, {"x"}, {"y"});
    CHECK(printGraph(*after) == "c = NoOp()\nx = Placeholder()\ny = Relu(x, ^c)\nz = NoOp(^x, "
                                "^c)\n");
    CHECK(computesOther(before, after, {"y"}) == "");
    CHECK(passed("remove_identity", after, {"x"}, {"y"}) == after);
}

TEST_CASE("remove_identity keeps names of the model, branches and copies of variables", "[passes]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2})
        .node("out", "Identity", {"x"})
        .node("p", "Placeholder", {}, {{"dtype", attr::fromType(DType::Bool)}})
        .node("sw", "Switch", {"x", "p"})
        .node("branch", "Identity", {"sw:1"})
        .node("v", "VariableV2", {}, {{"shape", attr::fromShape({{2}, false})}})
        .node("read", "Identity", {"v"})
        .node("y", "Add", {"read", "branch"});
    const GraphPtr before = builder.build();
    CHECK(passed("remove_identity", before, {"x"}, {"out", "y"}) == before);
    const Pass* pass = findPass("remove_identity");
    const auto findings = pass->find(before, {{"x"}, {"out", "y"}, {}}, Job());
    REQUIRE(findings.ok());
    REQUIRE(findings->size() == 3);
    for (const Finding& finding : *findings)
        CHECK_FALSE(finding.why.empty());
}

TEST_CASE("nodes that only copy go, with their control inputs passed on", "[passes]")
{
    for (const char* op : {"Identity", "StopGradient", "PreventGradient", "Snapshot"}) {
        const GraphPtr before =
            graph("x = Placeholder()\nfirst = NoOp()\ncopy = " + std::string(op) +
                  "(x, ^first)\n"
                  "y = Relu(copy)\nlate = NoOp(^copy)\n");
        INFO(op);
        const GraphPtr after = passed("remove_identity", before, {"x"}, {"y"});
        CHECK_FALSE(hasNode(after, "copy"));
        CHECK(inputsOf(after, "y") == "x, ^first");
        CHECK(inputsOf(after, "late") == "^x, ^first");
    }
}

TEST_CASE("copies whose name or position matters stay", "[passes]")
{
    const GraphPtr output = graph("x = Placeholder()\ny = Identity(x)\n");
    CHECK(passed("remove_identity", output, {"x"}, {"y"}) == output);
    const GraphPtr input = graph("x = Identity(file)\nfile = Const()\ny = Relu(x)\n");
    CHECK(passed("remove_identity", input, {"x"}, {"y"}) == input);
    // The control edges of a branch begin at the reader of its Switch.
    const GraphPtr branch = graph("x = Placeholder()\np = Placeholder()\ns = Switch(x, p)\n"
                                  "copy = Identity(s:1)\ny = Relu(copy)\n");
    CHECK(passed("remove_identity", branch, {"x", "p"}, {"y"}) == branch);
}

namespace {

PatternCases removeIdentityPatterns(const TestFolder&)
{
    const GraphPtr output = imageInput().node("y", "Identity", {"x"}).build();
    return {{"remove_identity",
             copiedOnce(),
             {"copy"},
             {{"no copy", reluOnly()}, {"an output", output}}}};
}

const CasesOf removeIdentityCases("remove_identity", {.patterns = removeIdentityPatterns,
                                                      .sharing = {{"remove_identity"}}});

} // namespace

} // namespace lapidary
