// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"
#include "transforms/convolution/channel_statistics.h"
#include "transforms/recipe/recipe.h"

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

TEST_CASE("factors go through what is added to a convolution", "[passes]")
{
    const auto biased = [](const char* sum) {
        auto builder = convolved("Conv2D");
        builder.floats("bias_op", {2}, {10, -4})
            .node("sum_op", sum, {"conv_op", "bias_op"})
            .floats("mul_values_op", {2}, {2, -3})
            .node("output", "Mul", {"sum_op", "mul_values_op"});
        return builder;
    };
    for (const char* sum : {"BiasAdd", "Add", "AddV2"}) {
        INFO(sum);
        const GraphPtr before = biased(sum).build();
        CHECK(passed("fold_batch_norms", before, {}, {"output"}) == before);
        const GraphPtr after = checkedPass("fold_batch_norms(through_bias=true)", before, {"Mul"});
        checkNear(floatsOf(after, "bias_op"), {20, 12});
        checkNear(floatsOf(after, "weights_op"), {2, -6, 6, -12, .2F, -.6F, .6F, -1.2F});
        CHECK(opOf(after, "output") == sum);
        CHECK(hasNode(after, "conv_op"));
    }
    auto read = biased("BiasAdd");
    read.node("also", "Neg", {"sum_op"});
    const GraphPtr shared = read.build();
    CHECK(passed("fold_batch_norms(through_bias=true)", shared, {}, {"output", "also"}) == shared);
    const auto misses =
        findPass("fold_batch_norms")
            ->find(shared,
                   {{},
                    {"output", "also"},
                    parseRecipe("fold_batch_norms(through_bias=true)", RecipeSyntax::Strict)
                        ->front()
                        .parameters},
                   Job());
    REQUIRE(misses.ok());
    REQUIRE(misses->size() == 1);
    CHECK(misses->front().why == "sum_op is also read elsewhere");
}

TEST_CASE("statistics are multiplied like what they are of, or dropped", "[passes]")
{
    auto builder = convolved("Conv2D");
    builder.floats("bias_op", {2}, {10, -4})
        .node("sum_op", "BiasAdd", {"conv_op", "bias_op"})
        .floats("mul_values_op", {2}, {2, -3})
        .node("output", "Mul", {"sum_op", "mul_values_op"});
    const GraphPtr plain = builder.build();
    GraphEdit edit(plain);
    const NodeId bias = plain->find("bias_op");
    NodeDraft draft = NodeDraft::of(plain->node(bias));
    keepStatistics({{1, 2}, {3, 4}}, draft);
    edit.replace(bias, std::move(draft));
    const auto known = std::move(edit).finish();
    REQUIRE(known.ok());
    const GraphPtr kept = passed("fold_batch_norms(through_bias=true, keep_statistics=true)",
                                 known->graph, {}, {"output"});
    const ChannelStatistics after = keptStatistics(kept->node(kept->find("bias_op")), 2);
    CHECK(after.mean == Floats{2, -6});
    CHECK(after.deviation == Floats{6, 12});
    const GraphPtr dropped =
        passed("fold_batch_norms(through_bias=true)", known->graph, {}, {"output"});
    CHECK(keptStatistics(dropped->node(dropped->find("bias_op")), 2).isEmpty());
}

namespace {

GraphPtr scaledProduct(const char* op, const char* format, std::vector<std::int64_t> factors)
{
    const bool isProduct = std::string_view(op) == "MatMul";
    GraphBuilder builder = isProduct ? imageInput({3, 4}) : imageInput();
    const std::vector<std::int64_t> dims =
        isProduct ? std::vector<std::int64_t>{4, 2}
                  : std::vector<std::int64_t>{3, 3, 2, std::string_view(op) == "Conv2D" ? 2 : 1};
    return builder.floats("w", dims, spreadValues(36))
        .node("product", op, {"x", "w"}, isProduct ? TestAttrs() : convolutionAttrs("SAME", format))
        .floats("m", std::move(factors), {2, 0.5F})
        .node("scaled", "Mul", {"product", "m"})
        .node("y", "Relu", {"scaled"})
        .build();
}

PatternCases foldBatchNormsPatterns(const TestFolder&)
{
    PatternCases cases;
    for (const char* op : {"Conv2D", "DepthwiseConv2dNative", "MatMul"}) {
        cases.push_back({"fold_batch_norms",
                         scaledProduct(op, "NHWC", {2}),
                         {"w", "product", "m", "scaled"},
                         {{"one factor for all", scaledProduct(op, "NHWC", {1})}}});
        if (std::string_view(op) != "MatMul")
            cases.back().nearMisses.push_back(
                {"channels in front", scaledProduct(op, "NCHW", {2})});
    }
    return cases;
}

const CasesOf foldBatchNormsCases("fold_batch_norms", {.patterns = foldBatchNormsPatterns});

} // namespace

} // namespace lapidary
