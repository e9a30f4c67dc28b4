// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"

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

} // namespace lapidary
