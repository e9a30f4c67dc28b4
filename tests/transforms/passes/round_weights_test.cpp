// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

#include <limits>

namespace lapidary {

TEST_CASE("large constants are rounded", "[passes]")
{
    const GraphPtr before = largeWeights({1, 1, 6, 2}, sampleInput);
    const GraphPtr after = checkedPass("round_weights", before, {}, 0.05);
    CHECK(floatsOf(after, "input_op") == sampleInput);
    Floats first = floatsOf(after, "weights_op");
    first.resize(8);
    checkNear(first, {1.006445F, 1.99668F, 3.002148F, 4.007617F, .1076172F, .1990234F, .3056641F,
                      .3970703F});
}

TEST_CASE("within_range keeps rounded weights between the smallest and the largest", "[passes]")
{
    const auto rounded = [](const Floats& values, const char* step) {
        const GraphPtr before =
            GraphBuilder().floats("w", {16}, values).node("y", "Relu", {"w"}).build();
        return floatsOf(passed(step, before, {}, {"y"}), "w");
    };
    const Floats negative{-4, -3, -2};
    const Floats original = rounded(negative, "round_weights(num_steps=4)");
    CHECK(original[1] == -2.5F); // steps of 1 up to 0
    const Floats inside = rounded(negative, "round_weights(num_steps=4, within_range=true)");
    CHECK(Floats(inside.begin(), inside.begin() + 3) == Floats{-3.75F, -2.75F, -2.25F});
    CHECK(rounded({0, 1, 2, 3, 4}, "round_weights(num_steps=4)")[4] == 4.5F);
    CHECK(rounded({0, 1, 2, 3, 4}, "round_weights(num_steps=4, within_range=true)")[4] == 3.5F);
    CHECK(rounded({0.5F}, "round_weights(within_range=true)") == Floats(16, 0.5F));
}

TEST_CASE("one value for a large shape stays one value", "[passes]")
{
    for (const Floats& stored : {Floats{0.5F}, Floats{-0.25F, 0.5F}, Floats()}) {
        const auto values = std::int64_t(stored.empty() ? 1 : stored.size());
        const GraphPtr before = splat(2000, stored);
        const GraphPtr packed = checkedPass("quantize_weights", before, {}, 0.01);
        CHECK(storedIn(packed, "w_quantized_const") == values);
        const GraphPtr rounded = checkedPass("round_weights(num_steps=1000)", before, {}, 1);
        CHECK(storedIn(rounded, "w") == values);
        // More values than fit into memory.
        const GraphPtr huge = splat(std::int64_t(1) << 40, stored);
        for (const char* step : {"quantize_weights", "round_weights"})
            CHECK(passed(step, huge, {}, {"output"}) != huge);
    }
}

namespace {

PatternCases roundWeightsPatterns(const TestFolder&)
{
    std::vector<float> infinite = spreadValues(36);
    infinite[7] = std::numeric_limits<float>::infinity();
    const char* step = "round_weights(num_steps=64)";
    return {{.step = step,
             .graph = convolutionWith(spreadValues(36)),
             .pattern = {"w"},
             .nearMisses = {{"infinity", convolutionWith(infinite)}},
             .tolerance = 0.05}};
}

const CasesOf roundWeightsCases("round_weights", {.patterns = roundWeightsPatterns});

} // namespace

} // namespace lapidary
