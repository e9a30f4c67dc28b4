// The specification's numbered cases of the passes that change weights (transforms, section 7).
#include "tests/transforms/pass_testing.h"
#include "transforms/pass/const_node.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>
#include <unistd.h>

namespace lapidary {
namespace {

using Floats = std::vector<float>;
using Dims = std::vector<std::int64_t>;

// The data that most cases use.
const Floats dataD{1, 4, 2, 5, 3, 6, -1, -4, -2, -5, -3, -6};
const Floats weightsD{1, 2, 3, 4, .1F, .2F, .3F, .4F};

const TestAttrs valid{{"strides", attr::fromInts({1, 1, 1, 1})},
                      {"padding", attr::fromString("VALID")}};

bool hasOp(const GraphPtr& graph, std::string_view op)
{
    return std::ranges::any_of(graph->nodes(),
                               [&](const NodePtr& node) { return node->op() == op; });
}

void checkNear(const Floats& got, const Floats& wanted, double relative = 1e-6)
{
    REQUIRE(got.size() == wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        CHECK(got[i] == Approx(wanted[i]).epsilon(relative).margin(1e-6));
}

// The same outputs, and what the pass is for is gone.
GraphPtr checkedPass(const char* step, const GraphPtr& before, const std::vector<std::string>& gone,
                     double tolerance = 1e-5)
{
    const GraphPtr after = passed(step, before, {}, {"output"});
    for (const std::string& op : gone) {
        INFO(op);
        CHECK_FALSE(hasOp(after, op));
    }
    CHECK(computesOther(before, after, {"output"}, tolerance) == "");
    return after;
}

GraphBuilder convolved(const char* op)
{
    GraphBuilder builder;
    builder.floats("input_op", {1, 1, 6, 2}, dataD)
        .floats("weights_op", {1, 2, 2, 2}, weightsD)
        .node("conv_op", op, {"input_op", "weights_op"}, valid);
    return builder;
}

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

GraphBuilder& normalised(GraphBuilder& builder, const std::string& of, const Statistics& data)
{
    return withStatistics(builder, data)
        .node("output", "FusedBatchNorm", {of, "gamma_op", "beta_op", "mean_op", "variance_op"},
              {{"epsilon", attr::fromFloat(1e-5F)}, {"is_training", attr::fromBool(false)}});
}

GraphBuilder& globallyNormalised(GraphBuilder& builder, const Statistics& data)
{
    return withStatistics(builder, data)
        .node("output", "BatchNormWithGlobalNormalization",
              {"conv_op", "mean_op", "variance_op", "beta_op", "gamma_op"},
              {{"variance_epsilon", attr::fromFloat(1e-5F)},
               {"scale_after_normalization", attr::fromBool(false)}});
}

// The constant that a node reads as input number `slot`.
Floats constantOf(const GraphPtr& graph, std::string_view node, std::size_t slot)
{
    const auto inputs = graph->inputs(graph->find(node));
    REQUIRE(slot < inputs.size());
    return floatsOf(graph, graph->node(inputs[slot].node).name());
}

} // namespace

TEST_CASE("T7.4: a convolution between SpaceToBatchND and BatchToSpaceND", "[cases]")
{
    for (const char* op : {"Conv2D", "DepthwiseConv2dNative"}) {
        INFO(op);
        const GraphPtr before =
            GraphBuilder()
                .floats("input_op", {1, 3, 3, 2},
                        {.1F, .4F, .2F, .5F, .3F, .6F, -1, -.4F, -.2F, -.5F, -.3F, -.6F, .1F, .4F,
                         .2F, .5F, .3F, .6F})
                .ints("block_shape_op", {2}, {2, 2})
                .ints("paddings_op", {2, 2}, {1, 2, 1, 2})
                .node("space_to_batch_op", "SpaceToBatchND",
                      {"input_op", "block_shape_op", "paddings_op"})
                .floats("weights_op", {2, 2, 2, 1}, {.1F, .2F, .3F, .4F, .1F, .2F, .3F, .4F})
                .node("conv_op", op, {"space_to_batch_op", "weights_op"}, valid)
                .ints("crops_op", {2, 2}, {0, 1, 0, 1})
                .node("output", "BatchToSpaceND", {"conv_op", "block_shape_op", "crops_op"})
                .build();
        const GraphPtr after =
            checkedPass("flatten_atrous_conv", before, {"SpaceToBatchND", "BatchToSpaceND"}, 1e-6);
        REQUIRE(after->size() == 3);
        CHECK(after->node(NodeId{0}).name() == "input_op");
        CHECK(after->node(NodeId{1}).name() == "weights_op");
        CHECK(after->node(NodeId{1}).op() == "Const");
        CHECK(after->node(NodeId{2}).name() == "output");
        CHECK(after->node(NodeId{2}).op() == op);
    }
}

TEST_CASE("T7.5a: a factor behind a convolution", "[cases]")
{
    auto builder = convolved("Conv2D");
    builder.floats("mul_values_op", {2}, {2, 3})
        .node("output", "Mul", {"conv_op", "mul_values_op"});
    const GraphPtr after = checkedPass("fold_batch_norms", builder.build(), {"Mul"});
    checkNear(floatsOf(after, "weights_op"), {2, 6, 6, 12, .2F, .6F, .6F, 1.2F});
}

TEST_CASE("T7.5b: a factor behind a depthwise convolution", "[cases]")
{
    auto builder = convolved("DepthwiseConv2dNative");
    builder.floats("mul_values_op", {4}, {2, 3, 4, 5})
        .node("output", "Mul", {"conv_op", "mul_values_op"});
    const GraphPtr after = checkedPass("fold_batch_norms", builder.build(), {"Mul"});
    checkNear(floatsOf(after, "weights_op"), {2, 6, 12, 20, .2F, .6F, 1.2F, 2});
}

TEST_CASE("T7.5c: a factor behind a product of matrices", "[cases]")
{
    const GraphPtr after = checkedPass("fold_batch_norms",
                                       GraphBuilder()
                                           .floats("input_op", {6, 2}, dataD)
                                           .floats("weights_op", {2, 2}, {1, 2, .3F, .4F})
                                           .node("mat_mul_op", "MatMul", {"input_op", "weights_op"})
                                           .floats("mul_values_op", {2}, {2, 3})
                                           .node("output", "Mul", {"mat_mul_op", "mul_values_op"})
                                           .build(),
                                       {"Mul"});
    checkNear(floatsOf(after, "weights_op"), {2, 6, .6F, 1.2F});
}

TEST_CASE("T7.5d: two factors behind one convolution are left alone", "[cases]")
{
    auto builder = convolved("Conv2D");
    builder.floats("mul_values_op", {2}, {2, 3})
        .node("output", "Mul", {"conv_op", "mul_values_op"})
        .floats("mul_values_op_2", {2}, {2, 3})
        .node("output_2", "Mul", {"conv_op", "mul_values_op_2"});
    const GraphPtr before = builder.build();
    CHECK(passed("fold_batch_norms", before, {}, {"output", "output_2"}) == before);
}

TEST_CASE("T7.7a, b: global normalisation", "[cases]")
{
    SECTION("T7.7a")
    {
        auto builder = convolved("Conv2D");
        const GraphPtr after =
            checkedPass("fold_old_batch_norms", globallyNormalised(builder, two).build(),
                        {"BatchNormWithGlobalNormalization"});
        checkNear(constantOf(after, "conv_op", 1), {1.99996F, 2.828399F, 5.99988F, 5.656797F,
                                                    .199996F, .2828399F, .599988F, .5656797F});
        checkNear(constantOf(after, "output", 1), {-19.8996F, -27.68399F});
    }
    SECTION("T7.7b")
    {
        auto builder = convolved("DepthwiseConv2dNative");
        const GraphPtr after =
            checkedPass("fold_old_batch_norms", globallyNormalised(builder, four).build(),
                        {"BatchNormWithGlobalNormalization"});
        checkNear(constantOf(after, "conv_op", 1), {1.99996F, 2.828399F, 3.464079F, 3.99998F,
                                                    .199996F, .2828399F, .3464079F, .399998F});
        checkNear(constantOf(after, "output", 1), {-19.8996F, -27.68399F, -33.54079F, -38.3998F});
    }
}

TEST_CASE("T7.7c, d: fused normalisation", "[cases]")
{
    SECTION("T7.7c")
    {
        auto builder = convolved("Conv2D");
        const GraphPtr after =
            checkedPass("fold_old_batch_norms", normalised(builder, "conv_op", two).build(),
                        {"FusedBatchNorm"});
        checkNear(constantOf(after, "conv_op", 1), {1.99996F, 5.656797F, 5.99988F, 11.31359F,
                                                    .199996F, .5656797F, .599988F, 1.131359F});
        checkNear(constantOf(after, "output", 1), {-19.8996F, -55.96798F});
    }
    SECTION("T7.7d")
    {
        auto builder = convolved("DepthwiseConv2dNative");
        const GraphPtr after =
            checkedPass("fold_old_batch_norms", normalised(builder, "conv_op", four).build(),
                        {"FusedBatchNorm"});
        checkNear(constantOf(after, "conv_op", 1), {1.99996F, 5.656797F, 10.39224F, 15.99992F,
                                                    .199996F, .5656797F, 1.039224F, 1.599992F});
        checkNear(constantOf(after, "output", 1), {-19.8996F, -55.96798F, -102.8224F, -158.3992F});
    }
}

namespace {

// Two convolutions behind a concatenation, on copies of D's input.
GraphBuilder joined(const Dims& inputDims, const Dims& weightDims, std::int32_t axis)
{
    GraphBuilder builder;
    for (const char* number : {"0", "1"}) {
        const std::string n(number);
        builder.floats("input_op" + n, inputDims, dataD)
            .floats("weights_op" + n, weightDims, {1, 2, 3, 4})
            .node("conv_op" + n, "Conv2D", {"input_op" + n, "weights_op" + n}, valid);
    }
    builder.ints("axis_op", {}, {axis})
        .node("concat_op", "ConcatV2", {"conv_op0", "conv_op1", "axis_op"},
              {{"N", attr::fromInt(2)}, {"Tidx", attr::fromType(DType::Int32)}});
    return builder;
}

} // namespace

TEST_CASE("T7.7e: normalisation behind joined channels", "[cases]")
{
    auto builder = joined({1, 1, 6, 2}, {1, 2, 2, 1}, 3);
    const GraphPtr after = checkedPass(
        "fold_old_batch_norms", normalised(builder, "concat_op", two).build(), {"FusedBatchNorm"});
    checkNear(constantOf(after, "conv_op0", 1), {1.99996F, 3.99992F, 5.99988F, 7.99984F});
    checkNear(constantOf(after, "conv_op1", 1), {2.828399F, 5.656797F, 8.485196F, 11.31359F});
}

TEST_CASE("T7.7f: normalisation behind joined columns", "[cases]")
{
    auto builder = joined({1, 1, 12, 1}, {1, 2, 1, 2}, 2);
    const GraphPtr after = checkedPass(
        "fold_old_batch_norms", normalised(builder, "concat_op", two).build(), {"FusedBatchNorm"});
    for (const char* conv : {"conv_op0", "conv_op1"})
        checkNear(constantOf(after, conv, 1), {1.99996F, 5.656797F, 5.99988F, 11.31359F});
}

TEST_CASE("T7.7g: normalisation behind BatchToSpaceND", "[cases]")
{
    GraphBuilder builder;
    builder.floats("input_op", {2, 1, 3, 2}, dataD)
        .floats("weights_op", {1, 2, 2, 2}, weightsD)
        .node("conv_op", "Conv2D", {"input_op", "weights_op"}, valid)
        .ints("block_shape_op", {2}, {1, 2})
        .ints("crops_op", {2, 2}, {0, 0, 0, 1})
        .node("batch_to_space_op", "BatchToSpaceND", {"conv_op", "block_shape_op", "crops_op"});
    const GraphPtr after =
        checkedPass("fold_old_batch_norms", normalised(builder, "batch_to_space_op", two).build(),
                    {"FusedBatchNorm"});
    CHECK(opOf(after, "output") == "BatchToSpaceND");
    checkNear(constantOf(after, "conv_op", 1),
              {1.99996F, 5.656797F, 5.99988F, 11.31359F, .199996F, .5656797F, .599988F, 1.131359F});
}

TEST_CASE("T7.8a: a measured range is frozen", "[cases]")
{
    const std::string log =
        (std::filesystem::temp_directory_path() / ("range_log_" + std::to_string(getpid())))
            .string();
    std::ofstream(log) << "Something irrelevant\n[SomePrefix] "
                          ";requantization_range_op__print__;__requant_min_max:"
                          "[-2.4313571][10.584145]\nSomething else\n";
    const std::string codes("\1\2\3\4\5\6");
    const auto type = attr::fromType(DType::QUInt8);
    const auto wide = attr::fromType(DType::QInt32);
    const GraphPtr before =
        GraphBuilder()
            .node("quantized_op", "Const", {},
                  constNode("", DType::QUInt8, {{1, 6}, false}, std::string(6, '\0')).attrs)
            .floats("quantized_min_op", {}, {2})
            .floats("quantized_max_op", {}, {2})
            .node("offset_op", "Const", {}, constNode("", DType::QUInt8, {{6}, false}, codes).attrs)
            .floats("offset_min_op", {}, {0})
            .floats("offset_max_op", {}, {255})
            .node("bias_add_op", "QuantizedBiasAdd",
                  {"quantized_op", "offset_op", "quantized_min_op", "quantized_max_op",
                   "offset_min_op", "offset_max_op"},
                  {{"T1", type}, {"T2", type}, {"out_type", wide}})
            .node("requantization_range_op", "RequantizationRange",
                  {"bias_add_op:0", "bias_add_op:1", "bias_add_op:2"}, {{"Tinput", wide}})
            .node("requantize_op", "Requantize",
                  {"bias_add_op:0", "bias_add_op:1", "bias_add_op:2", "requantization_range_op:0",
                   "requantization_range_op:1"},
                  {{"Tinput", wide}, {"out_type", type}})
            .node("dequantize_op", "Dequantize",
                  {"requantize_op:0", "requantize_op:1", "requantize_op:2"},
                  {{"T", type}, {"mode", attr::fromString("MIN_FIRST")}})
            .build();
    const GraphPtr after = passed("freeze_requantization_ranges(min_max_log_file=\"" + log + "\")",
                                  before, {}, {"dequantize_op"});
    std::filesystem::remove(log);
    CHECK_FALSE(hasNode(after, "requantization_range_op"));
    checkNear(constantOf(after, "requantize_op", 3), {-2.4313571F});
    checkNear(constantOf(after, "requantize_op", 4), {10.584145F});
    CHECK(computesOther(before, after, {"dequantize_op"}, 0.1) == "");
}

namespace {

GraphBuilder resized(bool resizes, bool pads)
{
    GraphBuilder builder;
    builder.floats("input_op", {1, 2, 3, 2}, dataD);
    std::string last = "input_op";
    if (resizes) {
        builder.ints("size_op", {2}, {12, 4})
            .node("resize_op", "ResizeBilinear", {last, "size_op"},
                  {{"align_corners", attr::fromBool(false)}});
        last = "resize_op";
    }
    if (pads) {
        builder.ints("pad_dims_op", {4, 2}, {0, 0, 1, 1, 2, 2, 0, 0})
            .node("pad_op", "MirrorPad", {last, "pad_dims_op"},
                  {{"mode", attr::fromString("REFLECT")},
                   {"Tpaddings", attr::fromType(DType::Int32)}});
        last = "pad_op";
    }
    builder.floats("weights_op", {1, 2, 2, 2}, weightsD)
        .node("output", "Conv2D", {last, "weights_op"}, valid);
    return builder;
}

} // namespace

TEST_CASE("T7.9a: resizing, padding and a convolution", "[cases]")
{
    checkedPass("fuse_resize_pad_and_conv", resized(true, true).build(),
                {"Conv2D", "MirrorPad", "ResizeBilinear"});
}

TEST_CASE("T7.9b: resizing and a convolution", "[cases]")
{
    checkedPass("fuse_resize_and_conv", resized(true, false).build(), {"Conv2D", "ResizeBilinear"});
}

TEST_CASE("T7.9c: padding and a convolution", "[cases]")
{
    const GraphPtr before = resized(false, true).build();
    checkedPass("fuse_pad_and_conv", before, {"Conv2D", "MirrorPad"});
}

namespace {

Floats fiveTimes(const Floats& values)
{
    Floats all;
    for (int i = 0; i < 5; ++i)
        all.insert(all.end(), values.begin(), values.end());
    return all;
}

GraphPtr largeWeights(const Dims& dims, const Floats& input)
{
    return GraphBuilder()
        .floats("input_op", dims, input)
        .floats("weights_op", {1, 2, dims[3], 40 / 2 / dims[3]},
                fiveTimes({1, 2, 3, 4, .1F, .2F, .3F, .4F}))
        .node("output", "Conv2D", {"input_op", "weights_op"}, valid)
        .build();
}

std::vector<int> codesOf(const GraphPtr& graph, std::string_view name)
{
    const auto tensor = graph->node(graph->find(name)).tensor();
    REQUIRE(tensor.ok());
    REQUIRE(tensor.value().dtype() == DType::QUInt8);
    const auto bytes = tensor.value().values();
    REQUIRE(bytes.ok());
    std::vector<int> codes;
    for (const char byte : bytes.value())
        codes.push_back(int(std::uint8_t(byte)));
    return codes;
}

} // namespace

TEST_CASE("T7.14a: large constants are stored in 8 bits", "[cases]")
{
    const GraphPtr before = largeWeights({1, 1, 6, 2}, dataD);
    const GraphPtr after = checkedPass("quantize_weights(minimum_size=16)", before, {}, 0.05);
    CHECK(opOf(after, "input_op") == "Const");
    CHECK(opOf(after, "weights_op") == "Dequantize");
    const auto codes = codesOf(after, "weights_op_quantized_const");
    REQUIRE(codes.size() == 40);
    CHECK(std::vector<int>(codes.begin(), codes.begin() + 8) ==
          std::vector<int>{64, 128, 191, 255, 6, 13, 19, 26});
}

TEST_CASE("T7.14b: ranges hold zero", "[cases]")
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
    const auto codes = codesOf(after, "input_op_quantized_const");
    CHECK(std::vector<int>(codes.begin(), codes.begin() + 4) == std::vector<int>{204, 51, 153, 0});
}

TEST_CASE("T7.21: large constants are rounded", "[cases]")
{
    const GraphPtr before = largeWeights({1, 1, 6, 2}, dataD);
    const GraphPtr after = checkedPass("round_weights", before, {}, 0.05);
    CHECK(floatsOf(after, "input_op") == dataD);
    Floats first = floatsOf(after, "weights_op");
    first.resize(8);
    checkNear(first, {1.006445F, 1.99668F, 3.002148F, 4.007617F, .1076172F, .1990234F, .3056641F,
                      .3970703F});
}

namespace {

// `stored` values for a shape of `count`: the last one stands for the rest.
GraphPtr splat(std::int64_t count, const Floats& stored)
{
    return GraphBuilder()
        .node("w", "Const", {}, floatConst("", {count}, stored).attrs)
        .node("output", "Relu", {"w"})
        .build();
}

std::int64_t storedIn(const GraphPtr& graph, std::string_view name)
{
    const auto tensor = graph->node(graph->find(name)).tensor();
    REQUIRE(tensor.ok());
    return tensor.value().storedElements();
}

} // namespace

TEST_CASE("one value for a large shape stays one value", "[cases]")
{
    for (const Floats& stored : {Floats{0.5F}, Floats{-0.25F, 0.5F}, Floats()}) {
        const auto values = std::int64_t(stored.empty() ? 1 : stored.size());
        const GraphPtr before = splat(2000, stored);
        const GraphPtr packed = checkedPass("quantize_weights", before, {}, 0.01);
        CHECK(storedIn(packed, "w_quantized_const") == values);
        const GraphPtr rounded = checkedPass("round_weights(num_steps=1000)", before, {}, 1);
        CHECK(storedIn(rounded, "w") == values);
        // More than memory holds.
        const GraphPtr huge = splat(std::int64_t(1) << 40, stored);
        for (const char* step : {"quantize_weights", "round_weights"})
            CHECK(passed(step, huge, {}, {"output"}) != huge);
    }
}

} // namespace lapidary
