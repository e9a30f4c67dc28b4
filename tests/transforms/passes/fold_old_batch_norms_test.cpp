// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/edited_graphs.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pattern_graphs.h"
#include "transforms/convolution/channel_statistics.h"

namespace lapidary {

namespace {

struct Statistics {
    Floats mean, variance, beta, gamma;
};
const Statistics two{{10, 20}, {.25F, .5F}, {.1F, .6F}, {1, 2}};
const Statistics four{{10, 20, 30, 40}, {.25F, .5F, .75F, 1}, {.1F, .6F, 1.1F, 1.6F}, {1, 2, 3, 4}};

GraphBuilder& withStatistics(GraphBuilder& builder, const Statistics& data)
{
    const Dims dims{std::int64_t(data.mean.size())};
    return builder.floats("mean_op", dims, data.mean)
        .floats("variance_op", dims, data.variance)
        .floats("beta_op", dims, data.beta)
        .floats("gamma_op", dims, data.gamma);
}

GraphBuilder& normalized(GraphBuilder& builder, const std::string& of, const Statistics& data)
{
    return withStatistics(builder, data)
        .node("output", "FusedBatchNorm", {of, "gamma_op", "beta_op", "mean_op", "variance_op"},
              {{"epsilon", attr::fromFloat(1e-5F)}, {"is_training", attr::fromBool(false)}});
}

GraphBuilder& globallyNormalized(GraphBuilder& builder, const Statistics& data)
{
    return withStatistics(builder, data)
        .node("output", "BatchNormWithGlobalNormalization",
              {"conv_op", "mean_op", "variance_op", "beta_op", "gamma_op"},
              {{"variance_epsilon", attr::fromFloat(1e-5F)},
               {"scale_after_normalization", attr::fromBool(false)}});
}

// Two convolutions before a concatenation, on copies of the same input.
GraphBuilder joined(const Dims& inputDims, const Dims& weightDims, std::int32_t axis)
{
    GraphBuilder builder;
    for (const char* number : {"0", "1"}) {
        const std::string n(number);
        builder.floats("input_op" + n, inputDims, sampleInput)
            .floats("weights_op" + n, weightDims, {1, 2, 3, 4})
            .node("conv_op" + n, "Conv2D", {"input_op" + n, "weights_op" + n}, valid);
    }
    builder.ints("axis_op", {}, {axis})
        .node("concat_op", "ConcatV2", {"conv_op0", "conv_op1", "axis_op"},
              {{"N", attr::fromInt(2)}, {"Tidx", attr::fromType(DType::Int32)}});
    return builder;
}

} // namespace

TEST_CASE("global normalization", "[passes]")
{
    SECTION("of a convolution")
    {
        auto builder = convolved("Conv2D");
        const GraphPtr after =
            checkedPass("fold_old_batch_norms", globallyNormalized(builder, two).build(),
                        {"BatchNormWithGlobalNormalization"});
        checkNear(constantOf(after, "conv_op", 1), {1.99996F, 2.828399F, 5.99988F, 5.656797F,
                                                    .199996F, .2828399F, .599988F, .5656797F});
        checkNear(constantOf(after, "output", 1), {-19.8996F, -27.68399F});
    }
    SECTION("of a depthwise convolution")
    {
        auto builder = convolved("DepthwiseConv2dNative");
        const GraphPtr after =
            checkedPass("fold_old_batch_norms", globallyNormalized(builder, four).build(),
                        {"BatchNormWithGlobalNormalization"});
        checkNear(constantOf(after, "conv_op", 1), {1.99996F, 2.828399F, 3.464079F, 3.99998F,
                                                    .199996F, .2828399F, .3464079F, .399998F});
        checkNear(constantOf(after, "output", 1), {-19.8996F, -27.68399F, -33.54079F, -38.3998F});
    }
}

TEST_CASE("fused normalization", "[passes]")
{
    SECTION("of a convolution")
    {
        auto builder = convolved("Conv2D");
        const GraphPtr after =
            checkedPass("fold_old_batch_norms", normalized(builder, "conv_op", two).build(),
                        {"FusedBatchNorm"});
        checkNear(constantOf(after, "conv_op", 1), {1.99996F, 5.656797F, 5.99988F, 11.31359F,
                                                    .199996F, .5656797F, .599988F, 1.131359F});
        checkNear(constantOf(after, "output", 1), {-19.8996F, -55.96798F});
    }
    SECTION("of a depthwise convolution")
    {
        auto builder = convolved("DepthwiseConv2dNative");
        const GraphPtr after =
            checkedPass("fold_old_batch_norms", normalized(builder, "conv_op", four).build(),
                        {"FusedBatchNorm"});
        checkNear(constantOf(after, "conv_op", 1), {1.99996F, 5.656797F, 10.39224F, 15.99992F,
                                                    .199996F, .5656797F, 1.039224F, 1.599992F});
        checkNear(constantOf(after, "output", 1), {-19.8996F, -55.96798F, -102.8224F, -158.3992F});
    }
}

TEST_CASE("normalization after joined channels", "[passes]")
{
    auto builder = joined({1, 1, 6, 2}, {1, 2, 2, 1}, 3);
    const GraphPtr after = checkedPass(
        "fold_old_batch_norms", normalized(builder, "concat_op", two).build(), {"FusedBatchNorm"});
    checkNear(constantOf(after, "conv_op0", 1), {1.99996F, 3.99992F, 5.99988F, 7.99984F});
    checkNear(constantOf(after, "conv_op1", 1), {2.828399F, 5.656797F, 8.485196F, 11.31359F});
}

TEST_CASE("normalization after joined columns", "[passes]")
{
    auto builder = joined({1, 1, 12, 1}, {1, 2, 1, 2}, 2);
    const GraphPtr after = checkedPass(
        "fold_old_batch_norms", normalized(builder, "concat_op", two).build(), {"FusedBatchNorm"});
    for (const char* conv : {"conv_op0", "conv_op1"})
        checkNear(constantOf(after, conv, 1), {1.99996F, 5.656797F, 5.99988F, 11.31359F});
}

TEST_CASE("normalization after BatchToSpaceND", "[passes]")
{
    GraphBuilder builder;
    builder.floats("input_op", {2, 1, 3, 2}, sampleInput)
        .floats("weights_op", {1, 2, 2, 2}, sampleWeights)
        .node("conv_op", "Conv2D", {"input_op", "weights_op"}, valid)
        .ints("block_shape_op", {2}, {1, 2})
        .ints("crops_op", {2, 2}, {0, 0, 0, 1})
        .node("batch_to_space_op", "BatchToSpaceND", {"conv_op", "block_shape_op", "crops_op"});
    const GraphPtr after =
        checkedPass("fold_old_batch_norms", normalized(builder, "batch_to_space_op", two).build(),
                    {"FusedBatchNorm"});
    CHECK(opOf(after, "output") == "BatchToSpaceND");
    checkNear(constantOf(after, "conv_op", 1),
              {1.99996F, 5.656797F, 5.99988F, 11.31359F, .199996F, .5656797F, .599988F, 1.131359F});
}

TEST_CASE("control edges are not a reason to leave a normalization alone", "[passes]")
{
    GraphBuilder builder = convolved("Conv2D");
    normalized(builder, "conv_op", two).node("init", "NoOp");
    const GraphPtr plain = builder.build();
    const GraphPtr waits = waiting(plain, "output", "init");
    const GraphPtr folded = checkedPass("fold_old_batch_norms", waits, {"FusedBatchNorm"}, 2e-5);
    CHECK(inputsOf(folded, "output") == "conv_op, conv_op_bn_offset, ^init");
    for (const char* node : {"conv_op", "weights_op"}) {
        INFO(node);
        const GraphPtr waited = waiting(plain, "init", node);
        const GraphPtr after =
            checkedPass("fold_old_batch_norms", waited, {"FusedBatchNorm"}, 2e-5);
        CHECK(inputsOf(after, "init") == "^" + std::string(node));
    }
}

TEST_CASE("normalization after a bias is folded if that is asked for", "[passes]")
{
    for (const char* add : {"BiasAdd", "Add", "AddV2"}) {
        INFO(add);
        auto builder = convolved("Conv2D");
        builder.floats("bias_op", {2}, {3, -4}).node("bias_add_op", add, {"conv_op", "bias_op"});
        const GraphPtr before = normalized(builder, "bias_add_op", two).build();
        CHECK(passed("fold_old_batch_norms", before, {}, {"output"}) == before);
        const GraphPtr after =
            checkedPass("fold_old_batch_norms(through_bias=true)", before, {"FusedBatchNorm"});
        CHECK(inputsOf(after, "output") == "conv_op, conv_op_bn_offset");
        CHECK_FALSE(hasNode(after, "bias_op"));
        // beta + (bias - mean) * gamma / sqrt(variance + epsilon)
        checkNear(constantOf(after, "output", 1), {-13.89972F, -67.28157F}, 1e-5);
    }
    // A bias with other readers stays for them; one that is an output is not folded.
    auto builder = convolved("Conv2D");
    builder.floats("bias_op", {2}, {3, -4})
        .node("bias_add_op", "BiasAdd", {"conv_op", "bias_op"})
        .node("also", "Neg", {"bias_op"});
    const GraphPtr before = normalized(builder, "bias_add_op", two).build();
    CHECK(hasNode(passed("fold_old_batch_norms(through_bias=true)", before, {}, {"output", "also"}),
                  "bias_op"));
    CHECK(passed("fold_old_batch_norms(through_bias=true)", before, {},
                 {"output", "bias_add_op"}) == before);
}

TEST_CASE("statistics of a folded normalization are kept if that is asked for", "[passes]")
{
    GraphBuilder builder = convolved("Conv2D");
    const GraphPtr before = normalized(builder, "conv_op", two).build();
    const GraphPtr plain = passed("fold_old_batch_norms", before, {}, {"output"});
    CHECK(keptStatistics(nodeOf(plain, "conv_op_bn_offset"), 2).isEmpty());
    const GraphPtr after =
        passed("fold_old_batch_norms(keep_statistics=true)", before, {}, {"output"});
    const ChannelStatistics kept = keptStatistics(nodeOf(after, "conv_op_bn_offset"), 2);
    checkNear(kept.mean, floatsOf(before, "beta_op"));
    checkNear(kept.deviation, floatsOf(before, "gamma_op"));
    CHECK(keptStatistics(nodeOf(after, "conv_op_bn_offset"), 3).isEmpty());
    const GraphPtr without =
        passed("remove_attribute(attribute_name=_bn_mean) ", after, {}, {"output"});
    CHECK(keptStatistics(nodeOf(without, "conv_op_bn_offset"), 2).isEmpty());
}

TEST_CASE("a normalization whose statistics are asked for stays", "[passes]")
{
    GraphBuilder builder = convolved("Conv2D");
    const GraphPtr before = normalized(builder, "conv_op", two).build();
    CHECK(passed("fold_old_batch_norms", before, {}, {"output", "output:1"}) == before);
    CHECK(passed("fold_old_batch_norms", before, {}, {"output:2"}) == before);
    CHECK(passed("fold_old_batch_norms", before, {}, {"output:0"}) != before);
}

namespace {

GraphPtr normalizedImage(const char* version, const char* format, bool isTraining = false)
{
    return imageInput()
        .floats("w", {3, 3, 2, 2}, spreadValues(36))
        .node("conv", "Conv2D", {"x", "w"}, convolutionAttrs("SAME", format))
        .floats("gamma", {2}, {1, 2})
        .floats("beta", {2}, {0.5F, -1})
        .floats("mean", {isTraining ? 0 : 2}, {0.1F, 0.2F})
        .floats("variance", {isTraining ? 0 : 2}, {1, 0.5F})
        .node("norm", version, {"conv", "gamma", "beta", "mean", "variance"},
              {{"is_training", attr::fromBool(isTraining)},
               {"data_format", attr::fromString(format)},
               {"U", attr::fromType(DType::Float)}})
        .node("y", "Relu", {"norm"})
        .build();
}

GraphPtr globallyNormalizedImage()
{
    return imageInput()
        .floats("w", {3, 3, 2, 2}, spreadValues(36))
        .node("conv", "Conv2D", {"x", "w"}, convolutionAttrs("SAME"))
        .floats("mean", {2}, {0.1F, 0.2F})
        .floats("variance", {2}, {1, 0.5F})
        .floats("beta", {2}, {0.5F, -1})
        .floats("gamma", {2}, {1, 2})
        .node("norm", "BatchNormWithGlobalNormalization",
              {"conv", "mean", "variance", "beta", "gamma"},
              {{"variance_epsilon", attr::fromFloat(1e-5F)},
               {"scale_after_normalization", attr::fromBool(true)}})
        .node("y", "Relu", {"norm"})
        .build();
}

PatternCases foldOldBatchNormsPatterns(const TestFolder&)
{
    const Strings pattern{"w", "conv", "gamma", "beta", "mean", "variance", "norm"};
    PatternCases cases;
    for (const char* version : {"FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"})
        cases.push_back({"fold_old_batch_norms",
                         normalizedImage(version, "NHWC"),
                         pattern,
                         {{"in training", normalizedImage(version, "NHWC", true)}}});
    cases.push_back(
        {"fold_old_batch_norms", normalizedImage("FusedBatchNorm", "NCHW"), pattern, {}});
    cases.back().runs = false;
    cases.push_back({"fold_old_batch_norms", globallyNormalizedImage(), pattern, {}});
    return cases;
}

const CasesOf foldOldBatchNormsCases("fold_old_batch_norms",
                                     {.patterns = foldOldBatchNormsPatterns});

} // namespace

} // namespace lapidary
