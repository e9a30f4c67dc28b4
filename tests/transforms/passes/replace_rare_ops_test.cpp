// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {

TEST_CASE("replace_rare_ops computes Ceil and L2Loss without them", "[passes]")
{
    GraphBuilder builder;
    builder.node("first", "NoOp")
        .floats("x", {2, 3}, {0.5F, -0.5F, 2, -1.25F, 0, 7.75F})
        .node("up", "Ceil", {"x", "^first"})
        .node("loss", "L2Loss", {"x"})
        .node("y", "Add", {"up", "loss"});
    const GraphPtr before = builder.build();
    const GraphPtr after = passed("replace_rare_ops", before, {}, {"y", "loss"});
    CHECK(countOps(after, "Ceil") == 0);
    CHECK(countOps(after, "L2Loss") == 0);
    CHECK(inputsOf(after, "up") == "up/floor, ^first");
    CHECK(computesOther(before, after, {"up", "loss", "y"}) == "");
    CHECK(passed("replace_rare_ops", after, {}, {"y", "loss"}) == after);
}

TEST_CASE("replace_rare_ops leaves inputs and other types alone", "[passes]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2})
        .node("up", "Ceil", {"x"})
        .floats("d", {1}, {1})
        .node("wide", "Cast", {"d"},
              {{"SrcT", attr::fromType(DType::Float)}, {"DstT", attr::fromType(DType::Double)}})
        .node("loss", "L2Loss", {"wide"}, {{"T", attr::fromType(DType::Double)}});
    const GraphPtr before = builder.build();
    CHECK(passed("replace_rare_ops", before, {"up"}, {"loss"}) == before);
}

namespace {

PatternCases replaceRareOpsPatterns(const TestFolder&)
{
    const GraphPtr rare = imageInput().node("up", "Ceil", {"x"}).node("y", "Relu", {"up"}).build();
    return {{"replace_rare_ops", rare, {"up"}, {{"a common op", reluOnly()}}}};
}

const CasesOf replaceRareOpsCases("replace_rare_ops", {.patterns = replaceRareOpsPatterns});

} // namespace

} // namespace lapidary
