// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

std::vector<float> countingUp(std::size_t count, float first = 1)
{
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = first + float(i);
    return values;
}

const TestAttrs windows{{"ksize", attr::fromInts({1, 2, 2, 1})},
                        {"strides", attr::fromInts({1, 1, 1, 1})},
                        {"padding", attr::fromString("SAME")}};

TestAttrs convolution(std::int64_t stride)
{
    return {{"strides", attr::fromInts({1, stride, stride, 1})},
            {"padding", attr::fromString("SAME")}};
}

// Returns whether every node except `kept` computes in 8 bits.
GraphPtr quantized(const GraphBuilder& builder, const std::vector<std::string>& outputs,
                   const std::string& step = "quantize_nodes")
{
    const GraphPtr after = passed(step, builder.build(), {}, outputs);
    for (const char* op : {"Add", "BiasAdd", "Concat", "Conv2D", "MatMul", "Relu", "Relu6",
                           "ResizeBilinear", "AvgPool", "MaxPool", "Mul"}) {
        INFO(op);
        const bool isIgnored = step.find("=" + std::string(op)) != std::string::npos;
        CHECK((countOps(after, op) > 0) == isIgnored);
    }
    for (const std::string& output : outputs) {
        const bool isIgnored = step.find("=" + opOf(after, output)) != std::string::npos;
        CHECK((isIgnored || opOf(after, output) == "Dequantize"));
    }
    return after;
}

// A QuantizedBiasAdd of two constants, followed by nodes of each test.
GraphBuilder biasAdd()
{
    GraphBuilder builder;
    builder.floats("input_op", {1, 1, 2, 6}, countingUp(12))
        .floats("offset_op", {6}, countingUp(6))
        .node("bias_add_op", "BiasAdd", {"input_op", "offset_op"});
    return builder;
}

GraphBuilder& withFakeQuant(GraphBuilder& builder, const std::string& of)
{
    return builder.floats("fake_quant_min_op", {}, {0})
        .floats("fake_quant_max_op", {}, {18})
        .node("fake_quant_op", "FakeQuantWithMinMaxVars",
              {of, "fake_quant_min_op", "fake_quant_max_op"});
}

constexpr auto onlyOtherSteps =
    "quantize_nodes(ignore_op=Add, ignore_op=AvgPool, ignore_op=BiasAdd, ignore_op=Concat, "
    "ignore_op=Conv2D, ignore_op=MatMul, ignore_op=MaxPool, ignore_op=Mul, ignore_op=Relu, "
    "ignore_op=Relu6, ignore_op=ResizeBilinear, ignore_op=Reshape)";

// Dequantized values are quantized again in their own range.
GraphBuilder& packedAgain(GraphBuilder& builder)
{
    return builder.ints("dequantize_reshape_dims", {1}, {-1})
        .ints("dequantize_reduction_dims", {}, {0})
        .node("dequantize_reshape", "Reshape", {"dequantize_op", "dequantize_reshape_dims"})
        .node("dequantize_min", "Min", {"dequantize_reshape", "dequantize_reduction_dims"})
        .node("dequantize_max", "Max", {"dequantize_reshape", "dequantize_reduction_dims"})
        .node("quantize_op", "QuantizeV2", {"dequantize_op", "dequantize_min", "dequantize_max"},
              {{"T", attr::fromType(DType::QUInt8)}, {"mode", attr::fromString("MIN_FIRST")}})
        .node("final_dequantize", "Dequantize", {"quantize_op", "quantize_op:1", "quantize_op:2"},
              {{"T", attr::fromType(DType::QUInt8)}});
}

// An 8-bit sum of two constants, requantized to its own range: requantize_op.
GraphBuilder requantized()
{
    const TestAttrs words{{"Tinput", attr::fromType(DType::QInt32)}};
    GraphBuilder builder;
    builder.floats("lo", {}, {0})
        .floats("hi", {}, {255})
        .floats("values", {1, 1, 2, 6}, countingUp(12))
        .floats("offsets", {6}, countingUp(6))
        .node("codes", "QuantizeV2", {"values", "lo", "hi"},
              {{"T", attr::fromType(DType::QUInt8)}, {"mode", attr::fromString("MIN_FIRST")}})
        .node("offset_codes", "QuantizeV2", {"offsets", "lo", "hi"},
              {{"T", attr::fromType(DType::QUInt8)}, {"mode", attr::fromString("MIN_FIRST")}})
        .node("quantized_bias_add", "QuantizedBiasAdd",
              {"codes", "offset_codes", "lo", "hi", "lo", "hi"},
              {{"T1", attr::fromType(DType::QUInt8)},
               {"T2", attr::fromType(DType::QUInt8)},
               {"out_type", attr::fromType(DType::QInt32)}})
        .node("requant_range", "RequantizationRange",
              {"quantized_bias_add", "quantized_bias_add:1", "quantized_bias_add:2"}, words)
        .node("requantize_op", "Requantize",
              {"quantized_bias_add", "quantized_bias_add:1", "quantized_bias_add:2",
               "requant_range", "requant_range:1"},
              {{"Tinput", attr::fromType(DType::QInt32)},
               {"out_type", attr::fromType(DType::QUInt8)}});
    return builder;
}

} // namespace

TEST_CASE("quantize_nodes leaves ignored ops alone", "[passes]")
{
    GraphBuilder builder;
    builder.floats("a_op", {1, 1}, {2})
        .floats("b_op", {1, 1}, {3})
        .floats("c_op", {1, 1}, {1})
        .floats("d_op", {1, 1}, {4})
        .node("mat_mul_op", "MatMul", {"a_op", "b_op"})
        .node("mul", "Mul", {"c_op", "d_op"});
    quantized(builder, {"mat_mul_op", "mul"});
    quantized(builder, {"mat_mul_op", "mul"}, "quantize_nodes(ignore_op=MatMul)");
    quantized(builder, {"mat_mul_op", "mul"}, "quantize_nodes(ignore_op=MatMul, ignore_op=Mul)");
}

TEST_CASE("quantize_nodes converts products of matrices", "[passes]")
{
    struct Sizes {
        std::int64_t m, n, k;
        std::vector<float> a, b;
    };
    const std::vector<Sizes> cases{
        {1, 1, 1, {2}, {3}},       {1, 2, 1, {1}, {2, 3}},
        {1, 1, 2, {1, 1}, {1, 1}}, {1, 1, 2, {0, 0}, {1, 1}},
        {1, 1, 2, {1, 2}, {1, 2}}, {2, 4, 3, countingUp(6), countingUp(12, 7)}};
    for (const Sizes& sizes : cases) {
        GraphBuilder builder;
        builder.floats("a_op", {sizes.m, sizes.k}, sizes.a)
            .floats("b_op", {sizes.k, sizes.n}, sizes.b)
            .node("mat_mul_op", "MatMul", {"a_op", "b_op"});
        const GraphPtr after = quantized(builder, {"mat_mul_op"});
        CHECK(inputsOf(after, "mat_mul_op/eightbit") ==
              "mat_mul_op_eightbit/a_op/quantize:0, mat_mul_op_eightbit/b_op/quantize:0, "
              "mat_mul_op_eightbit/a_op/quantize:1, mat_mul_op_eightbit/a_op/quantize:2, "
              "mat_mul_op_eightbit/b_op/quantize:1, mat_mul_op_eightbit/b_op/quantize:2");
    }
}

TEST_CASE("quantize_nodes sums no product with one column in 8 bits", "[passes]")
{
    // The range of a single negative number is empty, which QuantizedAdd does not accept.
    for (const std::int64_t columns : {1, 2}) {
        GraphBuilder builder;
        builder.placeholder("x", {1, 3})
            .floats("w", {3, columns}, countingUp(std::size_t(3 * columns), -9))
            .floats("b", {}, {-2})
            .node("product", "MatMul", {"x", "w"})
            .node("positive", "Relu", {"product"})
            .node("sum", "Add", {"product", "b"})
            .node("scaled", "Mul", {"positive", "b"});
        const GraphPtr after = passed("quantize_nodes", builder.build(), {"x"}, {"sum", "scaled"});
        CHECK(countOps(after, "MatMul") == 0);
        CHECK(countOps(after, "Add") == (columns == 1 ? 1 : 0));
        CHECK(countOps(after, "Mul") == (columns == 1 ? 1 : 0));
    }
}

TEST_CASE("quantize_nodes converts Mul and Add of a matrix and a row", "[passes]")
{
    std::vector<float> x(1000);
    std::vector<float> y(100);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = float(i % 256) / 256;
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = float((i + 23) % 123) - 50;
    for (const char* op : {"Mul", "Add"}) {
        GraphBuilder builder;
        builder.floats("x_op", {10, 100}, x)
            .floats("y_op", {100}, y)
            .node("out", op, {"x_op", "y_op"});
        quantized(builder, {"out"});
    }
    GraphBuilder outer;
    outer.floats("x_op", {10, 1}, {1, 2})
        .floats("y_op", {1, 5}, {3, 4})
        .node("out", "Mul", {"x_op", "y_op"});
    CHECK(opOf(passed("quantize_nodes", outer.build(), {}, {"out"}), "out") == "Mul");
}

TEST_CASE("quantize_nodes converts convolutions, but no dilated ones", "[passes]")
{
    GraphBuilder odd;
    odd.floats("input_op", {1, 4, 4, 1}, countingUp(16))
        .floats("filter_op", {3, 3, 1, 1}, countingUp(9))
        .node("conv_op", "Conv2D", {"input_op", "filter_op"}, convolution(2));
    quantized(odd, {"conv_op"});
    GraphBuilder wide;
    wide.floats("input_op", {1, 3, 4, 1}, countingUp(12))
        .floats("filter_op", {3, 3, 1, 1}, {1, 4, 7, 2, 5, 8, 3, 6, 9})
        .node("conv_op", "Conv2D", {"input_op", "filter_op"}, convolution(1));
    quantized(wide, {"conv_op"});
    for (const auto& [name, value] : TestAttrs{{"dilations", attr::fromInts({1, 2, 2, 1})},
                                               {"data_format", attr::fromString("NCHW")},
                                               {"strides", attr::fromInts({1, 1, 2, 1})}}) {
        TestAttrs attrs{{"padding", attr::fromString("SAME")}, {name, value}};
        if (name != "strides")
            attrs.emplace_back("strides", attr::fromInts({1, 1, 1, 1}));
        GraphBuilder other;
        other.placeholder("x", {1, 4, 4, 4})
            .floats("filter_op", {3, 3, 4, 1}, countingUp(9))
            .node("conv_op", "Conv2D", {"x", "filter_op"}, attrs);
        const GraphPtr before = other.build();
        CHECK(passed("quantize_nodes", before, {"x"}, {"conv_op"}) == before);
    }
}

TEST_CASE("quantize_nodes converts BiasAdd", "[passes]")
{
    const GraphPtr after = quantized(biasAdd(), {"bias_add_op"});
    CHECK(inputsOf(after, "bias_add_op") ==
          "bias_add_op/eightbit/requantize:0, bias_add_op/eightbit/requantize:1, "
          "bias_add_op/eightbit/requantize:2");
}

TEST_CASE("quantize_nodes converts Concat, whose ranges come after the values", "[passes]")
{
    GraphBuilder builder;
    builder.ints("shape_op", {}, {0})
        .floats("a_op", {2, 2, 3}, countingUp(12))
        .floats("b_op", {2, 2, 3}, countingUp(12, 13))
        .node("concat_op", "Concat", {"shape_op", "a_op", "b_op"}, {{"N", attr::fromInt(2)}});
    const GraphPtr after = quantized(builder, {"concat_op"});
    CHECK(inputsOf(after, "concat_op/eightbit") ==
          "shape_op, concat_op_eightbit/a_op/quantize:0, concat_op_eightbit/b_op/quantize:0, "
          "concat_op_eightbit/a_op/quantize:1, concat_op_eightbit/b_op/quantize:1, "
          "concat_op_eightbit/a_op/quantize:2, concat_op_eightbit/b_op/quantize:2");
}

TEST_CASE("quantize_nodes converts activations and pooling", "[passes]")
{
    for (const char* op : {"Relu", "Relu6", "MaxPool", "AvgPool"}) {
        GraphBuilder builder;
        builder.floats("x_op", {1, 2, 6, 1}, countingUp(12))
            .node("out", op, {"x_op"},
                  std::string_view(op).ends_with("Pool") ? windows : TestAttrs());
        quantized(builder, {"out"});
    }
}

TEST_CASE("quantize_nodes leaves shapes as they are", "[passes]")
{
    GraphBuilder reshape;
    reshape.floats("x_op", {4, 5}, countingUp(20))
        .ints("shape_op", {2}, {10, 2})
        .node("reshape_op", "Reshape", {"x_op", "shape_op"});
    const GraphPtr flat = quantized(reshape, {"reshape_op"});
    CHECK(inputsOf(flat, "reshape_op/eightbit").find("shape_op, ") != std::string::npos);
    GraphBuilder resize;
    resize.placeholder("image", {1, 128, 128, 3})
        .ints("size_op", {2}, {256, 256})
        .node("resize_op", "ResizeBilinear", {"image", "size_op"});
    CHECK(opOf(passed("quantize_nodes", resize.build(), {"image"}, {"resize_op"}),
               "resize_op/eightbit") == "QuantizedResizeBilinear");
}

TEST_CASE("quantize_nodes reads what was packed before", "[passes]")
{
    GraphBuilder builder;
    builder.floats("quantized_min_op", {}, {2})
        .floats("quantized_max_op", {}, {3})
        .node("quantized_op", "Placeholder", {}, {{"dtype", attr::fromType(DType::QUInt8)}})
        .node("dequantize_op", "Dequantize",
              {"quantized_op", "quantized_min_op", "quantized_max_op"},
              {{"T", attr::fromType(DType::QUInt8)}});
    packedAgain(builder);
    const GraphPtr after = passed(onlyOtherSteps, builder.build(), {}, {"final_dequantize"});
    CHECK(inputsOf(after, "final_dequantize") ==
          "quantized_op, quantized_min_op, quantized_max_op");
}

TEST_CASE("quantize_nodes reads the sum that was packed before", "[passes]")
{
    GraphBuilder builder = requantized();
    builder.node("dequantize_op", "Dequantize",
                 {"requantize_op", "requantize_op:1", "requantize_op:2"},
                 {{"T", attr::fromType(DType::QUInt8)}});
    packedAgain(builder);
    const GraphPtr after = passed(onlyOtherSteps, builder.build(), {}, {"final_dequantize"});
    CHECK(inputsOf(after, "final_dequantize") == "requantize_op, requantize_op:1, requantize_op:2");
}

TEST_CASE("quantize_nodes keeps what another node unpacks", "[passes]")
{
    GraphBuilder builder = requantized();
    builder.node("dequantize_op", "Dequantize",
                 {"requantize_op", "requantize_op:1", "requantize_op:2"},
                 {{"T", attr::fromType(DType::QUInt8)}});
    packedAgain(builder).node("relu_op", "Relu", {"dequantize_op"});
    const GraphPtr after =
        passed(onlyOtherSteps, builder.build(), {}, {"final_dequantize", "relu_op"});
    CHECK(countOps(after, "Dequantize") == 2);
    CHECK(inputsOf(after, "relu_op") == "dequantize_op");
}

TEST_CASE("quantize_nodes lets placeholders take codes", "[passes]")
{
    GraphBuilder builder;
    builder.placeholder("placeholder_op", {2, 3})
        .node("flag", "Placeholder", {}, {{"dtype", attr::fromType(DType::Bool)}})
        .node("relu_op", "Relu", {"placeholder_op"});
    const GraphPtr after = passed("quantize_nodes(input_min=-10, input_max=10)", builder.build(),
                                  {"placeholder_op"}, {"relu_op"});
    const auto dtype = [&](std::string_view name) {
        return after->node(after->find(name)).attr("dtype").asType();
    };
    CHECK(dtype("placeholder_op") == DType::QUInt8);
    CHECK(dtype("flag") == DType::Bool);
    CHECK(inputsOf(after, "relu_op").find("placeholder_op") == std::string::npos);
}

TEST_CASE("quantize_nodes takes ranges that are known", "[passes]")
{
    GraphBuilder builder;
    builder.floats("const_op", {1, 100}, countingUp(100))
        .placeholder("placeholder_op", {100})
        .node("bias_add_op", "BiasAdd", {"const_op", "placeholder_op"});
    const GraphPtr fed = passed("quantize_nodes(input_min=0, input_max=100)", builder.build(),
                                {"placeholder_op"}, {"bias_add_op"});
    CHECK(floatsOf(fed, "placeholder_op_eightbit/max") == std::vector<float>{100});
    const GraphPtr fixed = passed("quantize_nodes(fallback_min=0, fallback_max=200)",
                                  builder.build(), {"placeholder_op"}, {"bias_add_op"});
    CHECK(countOps(fixed, "RequantizationRange") == 0);
    CHECK(floatsOf(fixed, "bias_add_op/eightbit/fallback_max") == std::vector<float>{200});
    for (const char* half : {"input_min", "input_max", "fallback_min", "fallback_max"})
        CHECK_FALSE(applyPass("quantize_nodes(" + std::string(half) + "=1)", builder.build(), {},
                              {"bias_add_op"})
                        .ok());
}

TEST_CASE("quantize_nodes converts fake quantization", "[passes]")
{
    GraphBuilder builder = biasAdd();
    withFakeQuant(builder, "bias_add_op");
    const GraphPtr after =
        passed("quantize_nodes(ignore_op=BiasAdd)", builder.build(), {}, {"fake_quant_op"});
    CHECK(countOps(after, "FakeQuantWithMinMaxVars") == 0);
    CHECK(inputsOf(after, "fake_quant_op_eightbit/quantize") ==
          "bias_add_op, fake_quant_min_op, fake_quant_max_op");
}

TEST_CASE("quantize_nodes merges adjacent changes of range", "[passes]")
{
    GraphBuilder builder = requantized();
    builder
        .node("dequantize_op", "Dequantize",
              {"requantize_op", "requantize_op:1", "requantize_op:2"},
              {{"T", attr::fromType(DType::QUInt8)}, {"mode", attr::fromString("MIN_FIRST")}})
        .floats("q_min", {}, {0})
        .floats("q_max", {}, {255})
        .node("quantize_op", "QuantizeV2", {"dequantize_op", "q_min", "q_max"},
              {{"T", attr::fromType(DType::QInt32)}, {"mode", attr::fromString("MIN_FIRST")}})
        .floats("r_min", {}, {0})
        .floats("r_max", {}, {255})
        .node("requantize_again", "Requantize",
              {"quantize_op", "quantize_op:1", "quantize_op:2", "r_min", "r_max"},
              {{"Tinput", attr::fromType(DType::QInt32)},
               {"out_type", attr::fromType(DType::QUInt8)}})
        .node("out", "Dequantize", {"requantize_again", "requantize_again:1", "requantize_again:2"},
              {{"T", attr::fromType(DType::QUInt8)}, {"mode", attr::fromString("MIN_FIRST")}});
    const GraphPtr after = passed("quantize_nodes", builder.build(), {}, {"out"});
    CHECK(countOps(after, "Requantize") == 1);
    CHECK(inputsOf(after, "requantize_again")
              .starts_with("quantized_bias_add:0, quantized_bias_add:1, quantized_bias_add:2, "));
}

TEST_CASE("quantize_nodes keeps to a trained range", "[passes]")
{
    GraphBuilder builder = biasAdd();
    withFakeQuant(builder, "bias_add_op");
    const GraphPtr after = passed("quantize_nodes", builder.build(), {}, {"fake_quant_op"});
    CHECK(countOps(after, "FakeQuantWithMinMaxVars") == 0);
    CHECK(countOps(after, "Requantize") == 1);
}

TEST_CASE("quantize_nodes puts fake quantization before what keeps the order", "[passes]")
{
    GraphBuilder builder = biasAdd();
    builder.node("relu_op", "Relu", {"bias_add_op"})
        .node("max_pool_op", "MaxPool", {"relu_op"}, windows);
    withFakeQuant(builder, "max_pool_op");
    const GraphPtr after = passed(onlyOtherSteps, builder.build(), {}, {"fake_quant_op"});
    CHECK(opOf(after, "fake_quant_op") == "MaxPool");
    CHECK(inputsOf(after, "relu_op") == "fake_quant_op_hoisted");
    GraphBuilder other = biasAdd();
    other.node("neg_op", "Neg", {"bias_add_op"});
    withFakeQuant(other, "neg_op");
    const GraphPtr near = passed(onlyOtherSteps, other.build(), {}, {"fake_quant_op"});
    CHECK(inputsOf(near, "neg_op") == "bias_add_op");
}

TEST_CASE("quantize_nodes converts floats only", "[passes]")
{
    const TestAttrs ints{{"T", attr::fromType(DType::Int32)}};
    GraphBuilder builder;
    builder.ints("int_constant", {4, 5}, {1, 2, 3})
        .floats("float_constant", {4, 5}, {1, 2, 3})
        .ints("shape", {2}, {10, 2})
        .node("excluded_reshape_op", "Reshape", {"int_constant", "shape"}, ints)
        .node("included_reshape_op", "Reshape", {"float_constant", "shape"})
        .node("excluded_relu_op", "Relu", {"int_constant"}, ints)
        .node("excluded_float_caster", "Cast", {"excluded_relu_op"},
              {{"SrcT", attr::fromType(DType::Int32)}})
        .node("included_relu_op", "Relu", {"float_constant"});
    const GraphPtr after = passed("quantize_nodes", builder.build(), {},
                                  {"excluded_reshape_op", "included_reshape_op",
                                   "excluded_float_caster", "included_relu_op"});
    CHECK(opOf(after, "excluded_reshape_op") == "Reshape");
    CHECK(opOf(after, "excluded_relu_op") == "Relu");
    CHECK(opOf(after, "included_reshape_op") == "Dequantize");
    CHECK(opOf(after, "included_relu_op") == "Dequantize");
}

TEST_CASE("quantize_nodes keeps control inputs and measures a tensor once", "[passes]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2, 2})
        .node("first", "NoOp")
        .node("square", "Mul", {"x", "x", "^first"});
    const GraphPtr after = passed("quantize_nodes", builder.build(), {"x"}, {"square"});
    CHECK(inputsOf(after, "square/eightbit").ends_with(", ^first"));
    CHECK(countOps(after, "QuantizeV2") == 1);
}

TEST_CASE("quantize_nodes waits for no node of which only one output is fed", "[passes]")
{
    GraphBuilder builder;
    builder.placeholder("list", {4, 2})
        .ints("axis", {}, {0})
        .node("halves", "Split", {"axis", "list"}, {{"num_split", attr::fromInt(2)}})
        .node("square", "Mul", {"halves:1", "halves:1"});
    const std::string stem = "square_eightbit/halves__port__1";
    const GraphPtr fed = passed("quantize_nodes", builder.build(), {"halves:1"}, {"square"});
    CHECK(inputsOf(fed, stem + "/reshape_dims").empty());
    const GraphPtr other = passed("quantize_nodes", builder.build(), {"list"}, {"square"});
    CHECK(inputsOf(other, stem + "/reshape_dims") == "^halves");
}

TEST_CASE("no node waits for a Dequantize whose codes it reads", "[passes]")
{
    GraphBuilder builder = biasAdd();
    builder.node("relu_op", "Relu", {"bias_add_op", "^bias_add_op"});
    const GraphPtr after = quantized(builder, {"relu_op"});
    for (const NodePtr& node : after->nodes())
        if (node->op() == "QuantizedRelu")
            CHECK(std::ranges::none_of(node->inputs(), &Input::isControl));
    const GraphPtr stripped = passed("strip_unused_nodes", after, {}, {"relu_op"});
    CHECK(countOps(stripped, "Dequantize") == 1);
    CHECK(computesOther(builder.build(), stripped, {"relu_op"}, 0.02) == "");
}

namespace {

PatternCases quantizeNodesPatterns(const TestFolder&)
{
    const GraphPtr biased = imageInput()
                                .floats("w", {3, 3, 2, 2}, spreadValues(36))
                                .node("conv", "Conv2D", {"x", "w"}, convolutionAttrs("SAME"))
                                .floats("bias", {2}, {0.5F, -0.5F})
                                .node("sum", "BiasAdd", {"conv", "bias"})
                                .node("y", "Relu", {"sum"})
                                .build();
    const GraphPtr other = imageInput().node("y", "Neg", {"x"}).build();
    return {{.step = "quantize_nodes",
             .graph = biased,
             .pattern = {"w", "conv", "bias", "sum"},
             .nearMisses = {{"an op without one of 8 bits", other}},
             .tolerance = 0.05}};
}

const CasesOf quantizeNodesCases("quantize_nodes", {.patterns = quantizeNodesPatterns});

} // namespace

} // namespace lapidary
