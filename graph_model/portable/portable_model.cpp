// SPDX-License-Identifier: Apache-2.0
#include "graph_model/portable/portable_model.h"

#include "graph_model/tensor/shape.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace lapidary {
namespace {

constexpr std::array<std::string_view, portableKindCount> kindNames{
    "Abs",
    "Add",
    "And",
    "ArgMax",
    "ArgMin",
    "AveragePool",
    "BatchMatMul",
    "BatchToSpace",
    "Cast",
    "Ceil",
    "ChannelAffine",
    "Concat",
    "Conv2D",
    "Conv3D",
    "Copy",
    "Cos",
    "CumSum",
    "DepthToSpace",
    "DepthwiseConv2D",
    "Dequantize",
    "DetectionPostProcess",
    "Div",
    "Elu",
    "Equal",
    "Erf",
    "Exp",
    "FakeQuant",
    "Fill",
    "Floor",
    "FloorDiv",
    "FloorMod",
    "FullyConnected",
    "Gather",
    "GatherNd",
    "Gelu",
    "Greater",
    "GreaterEqual",
    "Gru",
    "If",
    "LeakyRelu",
    "Less",
    "LessEqual",
    "Log",
    "LogSoftmax",
    "Loop",
    "Lrn",
    "Lstm",
    "MaxPool",
    "Maximum",
    "Minimum",
    "MirrorPad",
    "Mul",
    "Neg",
    "NonMaxSuppression",
    "Not",
    "NotEqual",
    "OneHot",
    "Or",
    "Pack",
    "Pad",
    "Pow",
    "Quantize",
    "RandomNormal",
    "RandomUniform",
    "Range",
    "ReduceAll",
    "ReduceAny",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceProd",
    "ReduceSum",
    "Relu",
    "Relu6",
    "Reshape",
    "ResizeBilinear",
    "ResizeNearest",
    "Reverse",
    "ReverseSequence",
    "Rnn",
    "Round",
    "Rsqrt",
    "Select",
    "Selu",
    "Shape",
    "Sigmoid",
    "Sign",
    "Sin",
    "Softmax",
    "Softplus",
    "SpaceToBatch",
    "SpaceToDepth",
    "Split",
    "Sqrt",
    "Square",
    "SquaredDifference",
    "StridedSlice",
    "Sub",
    "Tanh",
    "Tile",
    "TopK",
    "Transpose",
    "TransposeConv",
    "Unpack",
    "UpdateRow",
    "Where",
    "While",
};

template <class T>
std::vector<std::int64_t> widened(std::string_view bytes)
{
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty())
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return {values.begin(), values.end()};
}

} // namespace

bool hasRuntimeSize(PortableKind kind)
{
    switch (kind) {
    case PortableKind::DetectionPostProcess:
    case PortableKind::Fill:
    case PortableKind::NonMaxSuppression:
    case PortableKind::RandomNormal:
    case PortableKind::RandomUniform:
    case PortableKind::Range:
    case PortableKind::Shape:
    case PortableKind::TopK:
    case PortableKind::Where: return true;
    default: return false;
    }
}

bool isRecurrentLayer(PortableKind kind)
{
    return kind == PortableKind::Lstm || kind == PortableKind::Gru || kind == PortableKind::Rnn;
}

std::string_view portableKindName(PortableKind kind)
{
    return kindNames[std::size_t(kind)];
}

std::int64_t PortableTensor::elements() const
{
    if (isOpen())
        return -1;
    return elementCount({dims, false}).value_or(std::numeric_limits<std::int64_t>::max());
}

bool PortableTensor::isOpen() const
{
    return std::ranges::any_of(dims, [](std::int64_t dim) { return dim < 0; });
}

TensorIndex PortableModel::add(PortableTensor tensor)
{
    tensors.push_back(std::move(tensor));
    return TensorIndex(tensors.size() - 1);
}

TensorIndex PortableModel::addFloats(std::string name, std::vector<std::int64_t> dims,
                                     const std::vector<float>& values)
{
    PortableTensor tensor;
    tensor.name = std::move(name);
    tensor.dims = std::move(dims);
    tensor.isConstant = true;
    tensor.bytes = ConstantBytes(bytesOf(values));
    return add(std::move(tensor));
}

std::vector<float> floatsOf(const PortableTensor& tensor)
{
    if (tensor.dtype != DType::Float)
        return {};
    const ConstantBytes bytes = tensor.bytes.read();
    std::vector<float> values(bytes.size() / sizeof(float));
    if (!values.empty())
        std::memcpy(values.data(), bytes.view().data(), values.size() * sizeof(float));
    return values;
}

std::vector<std::int64_t> integersOf(const PortableTensor& tensor)
{
    switch (tensor.dtype) {
    case DType::Int32: return widened<std::int32_t>(tensor.bytes.read().view());
    case DType::Int64: return widened<std::int64_t>(tensor.bytes.read().view());
    default: return {};
    }
}

std::string bytesOf(const std::vector<float>& values)
{
    std::string bytes(values.size() * sizeof(float), '\0');
    if (!values.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

WindowPads samePads(std::int64_t input, std::int64_t window, std::int64_t stride,
                    std::int64_t dilation)
{
    const std::int64_t output = (input + stride - 1) / stride;
    const std::int64_t total =
        std::max<std::int64_t>((output - 1) * stride + (window - 1) * dilation + 1 - input, 0);
    return {total / 2, total - total / 2};
}

WeightChannels weightChannels(PortableKind layer, const std::vector<std::int64_t>& dims)
{
    const auto last = std::size_t(dims.back());
    switch (layer) {
    case PortableKind::DepthwiseConv2D: return {last * std::size_t(dims[2]), 1};
    case PortableKind::TransposeConv: return {std::size_t(dims[2]), last};
    default: return {last, 1};
    }
}

std::optional<WeightChannels> channelsAlong(std::span<const std::int64_t> dims, std::int64_t axis,
                                            std::size_t count)
{
    if (axis < 0 || axis > std::int64_t(dims.size()) || count == 0)
        return std::nullopt;
    std::size_t inner = 1;
    for (const std::int64_t dim : dims.subspan(std::size_t(axis)))
        inner *= std::size_t(std::max<std::int64_t>(dim, 0));
    if (inner % count != 0)
        return std::nullopt;
    return WeightChannels{count, std::max<std::size_t>(inner / count, 1)};
}

bool hasLoops(const PortableModel& model)
{
    return std::ranges::any_of(model.operations, [](const PortableOperation& operation) {
        return !operation.parts.empty();
    });
}

std::vector<bool> portableOutputs(const PortableModel& model)
{
    std::vector<bool> areOutputs(model.tensors.size(), false);
    for (const TensorIndex output : model.outputs)
        if (output != noTensor)
            areOutputs[std::size_t(output)] = true;
    return areOutputs;
}

std::vector<std::vector<std::size_t>> portableReaders(const PortableModel& model)
{
    std::vector<std::vector<std::size_t>> readers(model.tensors.size());
    for (std::size_t i = 0; i < model.operations.size(); ++i)
        for (const TensorIndex input : model.operations[i].inputs)
            if (input != noTensor)
                readers[std::size_t(input)].push_back(i);
    return readers;
}

} // namespace lapidary
