#include "tests/graph_testing.h"
#include "tests/transforms/pass_testing.h"

#include <catch2/catch.hpp>

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
    REQUIRE(findings.value().size() == 3);
    for (const Finding& finding : findings.value())
        CHECK_FALSE(finding.why.empty());
}

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

} // namespace lapidary
