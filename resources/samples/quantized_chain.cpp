// SPDX-License-Identifier: Apache-2.0
#include "layers.h"
#include "samples.h"

#include <string>

namespace lapidary::samples {
namespace {

// An 8-bit or 32-bit tensor with the range that its integers represent.
struct Quantized {
    Value values;
    Value low;
    Value high;
};

Value rangeEnd(const Value& node, int index)
{
    return port(node, index, DType::Float, {});
}

Quantized outputsOf(const Value& node)
{
    return {node, rangeEnd(node, 1), rangeEnd(node, 2)};
}

std::vector<Value> inputsOf(const Quantized& x)
{
    return {x.values, x.low, x.high};
}

std::vector<Value> results(DType dtype, const Shape& shape)
{
    return {result(dtype, shape), result(DType::Float, {}), result(DType::Float, {})};
}

// Returns integers around 128, so that the range -1..1 is used evenly.
Quantized weights(ModelBuilder& model, std::string_view name, const Shape& shape)
{
    std::string bytes(std::size_t(elementCount(shape).value_or(0)), '\0');
    for (char& byte : bytes)
        byte = char(256.0F * (model.random() + model.random()) / 2.0F);
    const std::string base(name);
    return {model.bytes(base + "_quint8_const", DType::QUInt8, shape, bytes),
            model.scalar(base + "_min", -1.0F), model.scalar(base + "_max", 1.0F)};
}

Quantized quantize(ModelBuilder& model, const Value& x)
{
    const Value low = model.scalar("images_min", 0.0F);
    const Value high = model.scalar("images_max", 1.0F);
    return outputsOf(
        model.add("images_quantize", "QuantizeV2", {x, low, high}, results(DType::QUInt8, x.shape),
                  {{"T", attr::fromType(DType::QUInt8)}, {"mode", attr::fromString("MIN_FIRST")}}));
}

// Requantizes the 32-bit sums of a convolution to 8 bits, with the range that they actually use.
Quantized requantize(ModelBuilder& model, std::string_view name, const Quantized& x)
{
    const std::string base(name);
    const Value range = model.add(base + "_requant_range", "RequantizationRange", inputsOf(x),
                                  {result(DType::Float, {}), result(DType::Float, {})},
                                  {{"Tinput", attr::fromType(DType::QInt32)}});
    std::vector<Value> inputs = inputsOf(x);
    inputs.push_back(range);
    inputs.push_back(rangeEnd(range, 1));
    return outputsOf(model.add(
        base + "_requantize", "Requantize", inputs, results(DType::QUInt8, x.values.shape),
        {{"Tinput", attr::fromType(DType::QInt32)}, {"out_type", attr::fromType(DType::QUInt8)}}));
}

Quantized convolve(ModelBuilder& model, const std::string& name, const Quantized& x,
                   std::int64_t filters)
{
    const Quantized kernel =
        weights(model, name + "/weights", Shape{{3, 3, x.values.shape.dims[3], filters}});
    Shape shape = x.values.shape;
    shape.dims[3] = filters;
    const std::vector<Value> inputs{x.values, kernel.values, x.low,
                                    x.high,   kernel.low,    kernel.high};
    const Value sums =
        model.add(name + "/eightbit_conv", "QuantizedConv2D", inputs, results(DType::QInt32, shape),
                  {{"Tfilter", attr::fromType(DType::QUInt8)},
                   {"Tinput", attr::fromType(DType::QUInt8)},
                   {"dilations", attr::fromInts({1, 1, 1, 1})},
                   {"out_type", attr::fromType(DType::QInt32)},
                   {"padding", attr::fromString("SAME")},
                   {"strides", attr::fromInts({1, 1, 1, 1})}});
    return requantize(model, name + "/eightbit_conv", outputsOf(sums));
}

Quantized block(ModelBuilder& model, const std::string& name, Quantized x, std::int64_t filters)
{
    x = convolve(model, name, x, filters);
    x = outputsOf(model.add(
        name + "/eightbit_relu", "QuantizedRelu", inputsOf(x),
        results(DType::QUInt8, x.values.shape),
        {{"Tinput", attr::fromType(DType::QUInt8)}, {"out_type", attr::fromType(DType::QUInt8)}}));
    Shape shape = x.values.shape;
    shape.dims[1] /= 2;
    shape.dims[2] /= 2;
    return outputsOf(model.add(name + "/eightbit_pool", "QuantizedMaxPool", inputsOf(x),
                               results(DType::QUInt8, shape),
                               {{"T", attr::fromType(DType::QUInt8)},
                                {"ksize", attr::fromInts({1, 2, 2, 1})},
                                {"padding", attr::fromString("VALID")},
                                {"strides", attr::fromInts({1, 2, 2, 1})}}));
}

} // namespace

GraphPtr quantizedChain()
{
    ModelBuilder model;
    const Value images = model.placeholder("images", DType::Float, Shape{{1, 32, 32, 3}});
    Quantized x = quantize(model, images);
    x = block(model, "conv1", x, 16);
    x = block(model, "conv2", x, 32);
    const Value features =
        model.add("dequantize", "Dequantize", inputsOf(x), {result(DType::Float, x.values.shape)},
                  {{"T", attr::fromType(DType::QUInt8)}, {"mode", attr::fromString("MIN_FIRST")}});
    const std::vector<std::int32_t> sizes{-1, 8 * 8 * 32};
    const Value flat =
        model.add("Reshape", "Reshape", {features, model.ints("Reshape/shape", sizes)},
                  {result(DType::Float, Shape{{1, std::int64_t(8) * 8 * 32}})},
                  {{"T", attr::fromType(DType::Float)}, {"Tshape", attr::fromType(DType::Int32)}});
    const Value logits = dense(model, "logits", flat, 10);
    model.add("softmax", "Softmax", {logits}, {logits}, floatType());
    return std::move(model).finish();
}

} // namespace lapidary::samples
