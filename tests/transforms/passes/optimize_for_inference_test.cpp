// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {

TEST_CASE("optimize_for_inference strips, removes, folds and fuses", "[passes]")
{
    GraphBuilder builder;
    builder.placeholder("x", {1, 4, 4, 2})
        .node("check", "CheckNumerics", {"x"}, {{"message", attr::fromString("m")}})
        .ints("pads", {4, 2}, {0, 0, 1, 1, 1, 1, 0, 0})
        .node("pad", "MirrorPad", {"check", "pads"}, {{"mode", attr::fromString("REFLECT")}})
        .floats("w", {1, 1, 2, 2}, {1, 2, 3, 4})
        .node("c", "Conv2D", {"pad", "w"}, valid)
        .floats("gamma", {2}, {1, 2})
        .floats("beta", {2}, {0.5F, -0.5F})
        .floats("mean", {2}, {0.1F, 0.2F})
        .floats("variance", {2}, {1, 4})
        .node("bn", "FusedBatchNorm", {"c", "gamma", "beta", "mean", "variance"},
              {{"is_training", attr::fromBool(false)}})
        .node("copy", "Identity", {"bn"})
        .node("y", "Relu", {"copy"})
        .node("loss", "L2Loss", {"y"});
    const GraphPtr before = builder.build();
    const GraphPtr after = passed("optimize_for_inference", before, {"x"}, {"y"});
    CHECK(countOps(after, "FusedPadConv2D") == 1);
    CHECK(countOps(after, "FusedBatchNorm") == 0);
    CHECK_FALSE(hasNode(after, "check"));
    CHECK_FALSE(hasNode(after, "loss"));
    CHECK(inputsOf(after, "y") == "bn");
    CHECK(computesOther(before, after, {"y"}) == "");
    CHECK(passed("optimize_for_inference", after, {"x"}, {"y"}) == after);

    const GraphPtr plain =
        passed("optimize_for_inference(toco_compatible=true)", before, {"x"}, {"y"});
    CHECK(countOps(plain, "MirrorPad") == 1);
    CHECK(countOps(plain, "FusedPadConv2D") == 0);
    CHECK(computesOther(before, plain, {"y"}) == "");
}

TEST_CASE("optimize_for_inference refuses graphs whose names do not hold", "[passes]")
{
    const GraphPtr dangling = graph("x = Placeholder()\ny = Add(x, gone)\n");
    const auto outcome = applyPass("optimize_for_inference", dangling, {"x"}, {"y"});
    REQUIRE_FALSE(outcome.ok());
    CHECK(outcome.error().message == "y: its input gone does not exist");
}

namespace {

PatternCases optimizeForInferencePatterns(const TestFolder&)
{
    return {{"optimize_for_inference", copyAndDead(), {"copy", "dead"}, {}}};
}

const CasesOf optimizeForInferenceCases("optimize_for_inference",
                                        {.patterns = optimizeForInferencePatterns});

} // namespace

} // namespace lapidary
