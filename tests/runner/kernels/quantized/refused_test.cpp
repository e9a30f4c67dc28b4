// SPDX-License-Identifier: Apache-2.0
// Shapes, types, ranges and attributes that the 8-bit ops refuse, with an error that names the
// node.
#include "graph_model/graph/attr_lists.h"
#include "tests/catch.h"
#include "tests/runner/kernels/quantized/coded.h"

#include <limits>

namespace lapidary {
namespace {

struct Refused {
    std::string op;
    std::vector<Value> inputs;
    NodeAttrs attrs;
};

void checkRefused(const std::vector<Refused>& cases)
{
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Refused& c = cases[i];
        const auto y = runNode(c.op, c.inputs, c.attrs);
        CAPTURE(c.op, i);
        REQUIRE_FALSE(y.ok());
        CHECK(y.error().message.rfind("y: ", 0) == 0);
    }
}

const Value matrix = codedRamp({2, 3});
const Value image = codedRamp({1, 3, 3, 2});
const Value filter = codedRamp({2, 2, 2, 4});
const Value reals = rampOf<float>({4});
const Value sums = coded(DType::QInt32, {2}, {1});
const Value empty = emptyValue(DType::Float, {0});

NodeAttrs strided(const std::vector<std::int64_t>& strides, const char* padding = "SAME")
{
    return {{"strides", attr::fromInts(strides)}, {"padding", attr::fromString(padding)}};
}

NodeAttrs window(const std::vector<std::int64_t>& size, const std::vector<std::int64_t>& strides)
{
    return {{"ksize", attr::fromInts(size)},
            {"strides", attr::fromInts(strides)},
            {"padding", attr::fromString("SAME")}};
}

TEST_CASE("wrong ways to and from codes are refused", "[quantized]")
{
    const NodeAttrs::value_type type{"T", attr::fromType(DType::QUInt8)};
    const NodeAttrs::value_type toUInt8{"out_type", attr::fromType(DType::QUInt8)};
    checkRefused({
        {"QuantizeV2", withEnds({reals}, {1, -1}), {type}},
        {"QuantizeV2", {reals, empty, scalarOf(1.0F)}, {type}},
        {"QuantizeV2", withEnds({reals}, {0, 1}), {type, {"mode", attr::fromString("MIN")}}},
        {"QuantizeV2",
         withEnds({reals}, {0, 1}),
         {type, {"round_mode", attr::fromString("HALF_TO_EVEN")}}},
        {"QuantizeV2", withEnds({reals}, {0, 1}), {{"T", attr::fromType(DType::UInt8)}}},
        {"QuantizeV2", withEnds({sums}, {0, 1}), {type}},
        {"Dequantize", withEnds({matrix}, {0, 1}), {{"mode", attr::fromString("")}}},
        {"Dequantize", {matrix, scalarOf(0.0F), empty}, {}},
        {"Dequantize", withEnds({reals}, {0, 1}), {}},
        {"Requantize", withEnds({sums}, {-1, 1, 0.01F, 1}), {toUInt8}},
        {"Requantize", withEnds({sums}, {-1, 1, -10, -11}), {toUInt8}},
        {"Requantize", withEnds({matrix}, {-1, 1, -1, 1}), {toUInt8}},
        {"Requantize", {sums, empty, empty, scalarOf(0.0F), scalarOf(1.0F)}, {toUInt8}},
        {"QuantizeDownAndShrinkRange", withEnds({matrix}, {-1, 1}), {toUInt8}},
        {"RequantizationRange", {sums, empty, empty}, {}},
    });
}

TEST_CASE("codes are refused whose zero points or scales fit nothing", "[quantized]")
{
    const Value codes = valueOf<std::int8_t>({2}, {-128, 4});
    const auto scaled = [](const std::vector<float>& scales,
                           const std::vector<std::int64_t>& zeros) {
        return NodeAttrs{{"in0_scale", attr::fromFloats(scales)},
                         {"in0_zero_point", attr::fromInts(zeros)}};
    };
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    checkRefused({
        {"_Tflite_DEQUANTIZE", {codes}, {}},
        {"_Tflite_DEQUANTIZE", {codes}, scaled({1}, {least})},
        {"_Tflite_DEQUANTIZE", {codes}, scaled({1, 1}, {0, 256})},
        {"_Tflite_DEQUANTIZE", {codes}, scaled({1, 1, 1}, {0, 0, 0})},
    });
    CHECK(runNode("_Tflite_DEQUANTIZE", {codes}, scaled({1, 1}, {0, -128})).ok());
}

TEST_CASE("wrong products and sums are refused", "[quantized]")
{
    const std::vector<float> ends{-1, 1, -1, 1};
    const NodeAttrs one = strided({1, 1, 1, 1});
    const Value none = emptyValue(DType::QUInt8, {0, 3, 3, 2});
    checkRefused({
        {"QuantizedConv2D", withEnds({matrix, filter}, ends), one},
        {"QuantizedConv2D", withEnds({image, matrix}, ends), one},
        {"QuantizedConv2D", withEnds({image, codedRamp({2, 2, 3, 4})}, ends), one},
        {"QuantizedConv2D", withEnds({none, filter}, ends), one},
        {"QuantizedConv2D", withEnds({image, filter}, ends), strided({1, 1, 1})},
        {"QuantizedConv2D", withEnds({image, filter}, ends), strided({1, 1, 2, 1})},
        {"QuantizedConv2D", withEnds({image, filter}, ends), strided({2, 1, 1, 1})},
        {"QuantizedConv2D", withEnds({image, filter}, ends), strided({1, 0, 0, 1})},
        {"QuantizedConv2D", withEnds({image, filter}, ends), strided({1, 1, 1, 1}, "FULL")},
        {"QuantizedConv2D", withEnds({image, codedRamp({4, 4, 2, 1})}, ends),
         strided({1, 1, 1, 1}, "VALID")},
        {"QuantizedConv2D", {image, filter, empty, empty, empty, empty}, one},
        {"QuantizedMatMul", withEnds({matrix, matrix}, ends), {}},
        {"QuantizedMatMul", withEnds({image, matrix}, ends), {}},
        {"QuantizedMatMul", withEnds({matrix, codedRamp({3, 1})}, {1, 1, -1, 1}), {}},
        {"QuantizedMatMul", withEnds({matrix, codedRamp({3, 1})}, {-1, 1, 2, -2}), {}},
        {"QuantizedBiasAdd", withEnds({codedRamp({3}), codedRamp({3})}, ends), {}},
        {"QuantizedBiasAdd", withEnds({matrix, codedRamp({2})}, ends), {}},
        {"QuantizedBiasAdd", withEnds({matrix, codedRamp({1, 3})}, ends), {}},
        {"QuantizedBiasAdd", withEnds({matrix, coded(DType::QInt8, {3}, {1})}, ends), {}},
        {"QuantizedAdd", withEnds({matrix, codedRamp({2})}, ends), {}},
        {"QuantizedAdd", withEnds({matrix, matrix}, {1, 1, -1, 1}), {}},
        {"QuantizedMul", withEnds({matrix, codedRamp({4, 3})}, ends), {}},
        {"QuantizedMul", withEnds({matrix, matrix}, {-1, 1, 1, -1}), {}},
    });
}

TEST_CASE("wrong layers of codes are refused", "[quantized]")
{
    const auto x = withEnds({image}, {-1, 1});
    const NodeAttrs::value_type two{"N", attr::fromInt(2)};
    const auto joined = [&](const Value& axis, const Value& a, const Value& b) {
        return withEnds({axis, a, b}, {0, 0, 1, 1});
    };
    const auto resized = [&](const Value& picture, const Value& size) {
        return withEnds({picture, size}, {0, 1});
    };
    checkRefused({
        {"QuantizedRelu", {image, empty, scalarOf(1.0F)}, {}},
        {"QuantizedRelu", x, {{"out_type", attr::fromType(DType::QInt32)}}},
        {"QuantizedRelu6", withEnds({coded(DType::QInt8, {1}, {1})}, {-1, 1}), {}},
        {"QuantizedReluX", {image, empty, scalarOf(0.0F), scalarOf(1.0F)}, {}},
        {"QuantizedMaxPool", withEnds({matrix}, {-1, 1}), window({1, 2, 2, 1}, {1, 1, 1, 1})},
        {"QuantizedMaxPool", x, window({1, 0, 2, 1}, {1, 1, 1, 1})},
        {"QuantizedAvgPool", x, window({1, 2, 2, 1}, {1, 0, 1, 1})},
        {"QuantizedAvgPool", x, window({1, 1, 1, 2}, {1, 1, 1, 2})},
        {"QuantizedAvgPool", x, window({1, 2, 2}, {1, 1, 1})},
        {"QuantizedReshape", withEnds({matrix, valueOf<std::int32_t>({2}, {4, 2})}, {-1, 1}), {}},
        {"QuantizedReshape", withEnds({matrix, valueOf<std::int32_t>({2}, {-1, -1})}, {-1, 1}), {}},
        {"QuantizedConcat", joined(scalarOf(-1), matrix, matrix), {two}},
        {"QuantizedConcat", joined(scalarOf(2), matrix, matrix), {two}},
        {"QuantizedConcat", joined(scalarOf(0), matrix, codedRamp({2, 4})), {two}},
        {"QuantizedConcat", joined(scalarOf(0), matrix, image), {two}},
        {"QuantizedResizeBilinear", resized(matrix, valueOf<std::int32_t>({2}, {2})), {}},
        {"QuantizedResizeBilinear", resized(image, valueOf<std::int32_t>({2}, {0})), {}},
        {"QuantizedResizeBilinear", resized(image, valueOf<std::int32_t>({3}, {2})), {}},
        {"QuantizedInstanceNorm", withEnds({matrix}, {-1, 1}), {}},
        {"QuantizedInstanceNorm", withEnds({image}, {1, 1}), {}},
        {"QuantizedInstanceNorm", x, {{"output_range_given", attr::fromBool(true)}}},
        {"QuantizedInstanceNorm", withEnds({emptyValue(DType::QUInt8, {0, 1, 1, 1})}, {-1, 1}), {}},
    });
}

TEST_CASE("vectors of batch normalization must have an element for each channel", "[quantized]")
{
    std::vector<Value> inputs = withEnds({image}, {-1, 1});
    for (const std::int64_t size : {2, 2, 2, 1}) {
        inputs.push_back(codedRamp({size}));
        inputs.push_back(scalarOf(-1.0F));
        inputs.push_back(scalarOf(1.0F));
    }
    const NodeAttrs attrs{{"out_type", attr::fromType(DType::QInt32)},
                          {"variance_epsilon", attr::fromFloat(0.1F)},
                          {"scale_after_normalization", attr::fromBool(true)}};
    checkRefused({{"QuantizedBatchNormWithGlobalNormalization", inputs, attrs}});
    inputs[12] = codedRamp({2});
    CHECK(runNode("QuantizedBatchNormWithGlobalNormalization", inputs, attrs).ok());
    inputs[0] = matrix;
    checkRefused({{"QuantizedBatchNormWithGlobalNormalization", inputs, attrs}});
}

} // namespace
} // namespace lapidary
