// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

#include <cfloat>
#include <limits>

namespace lapidary {

TEST_CASE("large constants are stored in 8 bits", "[passes]")
{
    const GraphPtr before = largeWeights({1, 1, 6, 2}, sampleInput);
    const GraphPtr after = checkedPass("quantize_weights(minimum_size=16)", before, {}, 0.05);
    CHECK(opOf(after, "input_op") == "Const");
    CHECK(opOf(after, "weights_op") == "Dequantize");
    const auto codes = quantizedValuesOf(after, "weights_op_quantized_const");
    REQUIRE(codes.size() == 40);
    CHECK(std::vector<int>(codes.begin(), codes.begin() + 8) ==
          std::vector<int>{64, 128, 191, 255, 6, 13, 19, 26});
}

TEST_CASE("ranges hold zero", "[passes]")
{
    const Floats four{-1, -4, -2, -5};
    Floats input;
    for (int i = 0; i < 4; ++i)
        input.insert(input.end(), four.begin(), four.end());
    const GraphPtr before = largeWeights({1, 1, 4, 4}, input);
    const GraphPtr after = checkedPass("quantize_weights(minimum_size=16)", before, {}, 0.05);
    checkNear(floatsOf(after, "input_op_quantized_min"), {-5});
    checkNear(floatsOf(after, "input_op_quantized_max"), {0});
    checkNear(floatsOf(after, "weights_op_quantized_min"), {0});
    checkNear(floatsOf(after, "weights_op_quantized_max"), {4});
    const auto codes = quantizedValuesOf(after, "input_op_quantized_const");
    CHECK(std::vector<int>(codes.begin(), codes.begin() + 4) == std::vector<int>{204, 51, 153, 0});
}

TEST_CASE("constants whose range is not a number get [0, 1]", "[passes]")
{
    const Floats all[]{{0}, {-0.0F}, {1e-40F}, {-1e-40F, 1e-40F}, {FLT_MIN}, {-1e-37F, 2e-37F}};
    for (const Floats& values : all) {
        INFO(values.back());
        const GraphPtr before = GraphBuilder()
                                    .placeholder("x", {16})
                                    .floats("w", {16}, values)
                                    .node("y", "Add", {"x", "w"})
                                    .build();
        const GraphPtr after = passed("quantize_weights(minimum_size=16)", before, {"x"}, {"y"});
        REQUIRE(opOf(after, "w") == "Dequantize");
        CHECK(floatsOf(after, "w_quantized_min") == Floats{0});
        CHECK(floatsOf(after, "w_quantized_max") == Floats{1});
        CHECK(computesOther(before, after, {"y"}) == "");
    }
    // If the step is a normal number, the range is that of the values.
    const GraphPtr small =
        GraphBuilder().floats("w", {16}, {0, 1e-30F}).node("y", "Relu", {"w"}).build();
    CHECK(floatsOf(passed("quantize_weights(minimum_size=16)", small, {}, {"y"}),
                   "w_quantized_max") == Floats{1e-30F});
}

namespace {

PatternCases quantizeWeightsPatterns(const TestFolder&)
{
    std::vector<float> infinite = spreadValues(36);
    infinite[7] = std::numeric_limits<float>::infinity();
    const char* step = "quantize_weights(minimum_size=36)";
    return {{.step = step,
             .graph = convolutionWith(spreadValues(36)),
             .pattern = {"w"},
             .nearMisses = {{"infinity", convolutionWith(infinite)}},
             .tolerance = 0.05},
            {step, convolutionWith({0.25F}), {"w"}, {}}};
}

const CasesOf quantizeWeightsCases("quantize_weights", {.patterns = quantizeWeightsPatterns});

} // namespace

} // namespace lapidary
