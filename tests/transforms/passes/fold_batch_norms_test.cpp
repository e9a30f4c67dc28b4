// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_graphs.h"

#include <cmath>

namespace lapidary {

TEST_CASE("a factor after a convolution", "[passes]")
{
    auto builder = convolved("Conv2D");
    builder.floats("mul_values_op", {2}, {2, 3})
        .node("output", "Mul", {"conv_op", "mul_values_op"});
    const GraphPtr after = checkedPass("fold_batch_norms", builder.build(), {"Mul"});
    checkNear(floatsOf(after, "weights_op"), {2, 6, 6, 12, .2F, .6F, .6F, 1.2F});
}

TEST_CASE("a factor after a depthwise convolution", "[passes]")
{
    auto builder = convolved("DepthwiseConv2dNative");
    builder.floats("mul_values_op", {4}, {2, 3, 4, 5})
        .node("output", "Mul", {"conv_op", "mul_values_op"});
    const GraphPtr after = checkedPass("fold_batch_norms", builder.build(), {"Mul"});
    checkNear(floatsOf(after, "weights_op"), {2, 6, 12, 20, .2F, .6F, 1.2F, 2});
}

TEST_CASE("a factor after a product of matrices", "[passes]")
{
    const GraphPtr after = checkedPass("fold_batch_norms",
                                       GraphBuilder()
                                           .floats("input_op", {6, 2}, sampleInput)
                                           .floats("weights_op", {2, 2}, {1, 2, .3F, .4F})
                                           .node("mat_mul_op", "MatMul", {"input_op", "weights_op"})
                                           .floats("mul_values_op", {2}, {2, 3})
                                           .node("output", "Mul", {"mat_mul_op", "mul_values_op"})
                                           .build(),
                                       {"Mul"});
    checkNear(floatsOf(after, "weights_op"), {2, 6, .6F, 1.2F});
}

TEST_CASE("two factors after one convolution are left alone", "[passes]")
{
    auto builder = convolved("Conv2D");
    builder.floats("mul_values_op", {2}, {2, 3})
        .node("output", "Mul", {"conv_op", "mul_values_op"})
        .floats("mul_values_op_2", {2}, {2, 3})
        .node("output_2", "Mul", {"conv_op", "mul_values_op_2"});
    const GraphPtr before = builder.build();
    CHECK(passed("fold_batch_norms", before, {}, {"output", "output_2"}) == before);
}

TEST_CASE("factors that are not numbers are not spread over the weights", "[passes]")
{
    for (const float factor : {std::nanf(""), INFINITY}) {
        auto builder = convolved("Conv2D");
        builder.floats("mul_values_op", {2}, {2, factor})
            .node("output", "Mul", {"conv_op", "mul_values_op"});
        const GraphPtr before = builder.build();
        CHECK(passed("fold_batch_norms", before, {}, {"output"}) == before);
    }
}

} // namespace lapidary
