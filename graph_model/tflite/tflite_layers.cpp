// SPDX-License-Identifier: Apache-2.0
// Operators with weights, and pools. The layout of their tensors differs from TensorFlow's.
#include "graph_model/portable/permute.h"
#include "graph_model/tflite/tflite_draft.h"

#include <algorithm>

namespace lapidary {
namespace {

// The schema's Padding.
constexpr std::int64_t paddingSame = 0;
constexpr std::int64_t paddingValid = 1;

// Appends an operator that changes the sizes or the order of weights made by other operations.
std::int32_t computedWeights(TfliteDraft& draft, TensorIndex weights, std::int32_t code,
                             const std::string& what, const std::vector<std::int64_t>& list,
                             const std::vector<std::int64_t>& dims)
{
    const PortableTensor& tensor = draft.portable(weights);
    const std::string name = tensor.name + "/" + what;
    TfliteOperator op{.code = code};
    op.inputs = {draft.place(weights), draft.addInts(name + "/list", list)};
    op.outputs = {draft.addComputed(tensor, name, dims)};
    const std::int32_t made = op.outputs[0];
    draft.append(std::move(op));
    return made;
}

std::int32_t reordered(TfliteDraft& draft, TensorIndex weights,
                       const std::vector<std::int64_t>& order, std::int32_t scaleAxis)
{
    const PortableTensor& tensor = draft.portable(weights);
    constexpr std::int32_t transpose = 39;
    if (!tensor.isConstant)
        return computedWeights(draft, weights, transpose, "reordered", order,
                               permutedDims(tensor.dims, order));
    return draft.addConstant(tensor, permutedDims(tensor.dims, order),
                             tensor.bytes.reordered(tensor.dims, order, dtypeSize(tensor.dtype)),
                             scaleAxis);
}

// The format's operators always have a bias.
std::int32_t biasOf(TfliteDraft& draft, const PortableOperation& operation, std::int64_t channels)
{
    if (operation.input(2) != noTensor)
        return draft.place(operation.input(2));
    PortableTensor zeros;
    zeros.name = draft.portable(operation.outputs[0]).name + "/zero_bias";
    return draft.addConstant(
        zeros, {channels}, ConstantBytes(std::string(std::size_t(channels) * sizeof(float), '\0')));
}

// Returns the input, with rows and columns of zeros around it if the operator's own padding cannot
// express them.
std::int32_t paddedInput(TfliteDraft& draft, const PortableOperation& operation)
{
    const TensorIndex x = operation.input(0);
    const PortableParameters& parameters = operation.parameters;
    if (parameters.padding != PortablePadding::Explicit)
        return draft.place(x);
    const PortableTensor& tensor = draft.portable(x);
    const auto [top, left, bottom, right] = parameters.pads;
    std::vector<std::int64_t> dims = tensor.dims;
    dims[1] += top + bottom;
    dims[2] += left + right;
    const std::string name = draft.portable(operation.outputs[0]).name + "/pad";
    TfliteOperator pad{
        .code = 34, .version = tensor.dtype == DType::Int8 ? 2 : 1, .optionsType = 22};
    const std::int32_t pads =
        draft.addMatrix(name + "/sizes", {4, 2}, {0, 0, top, bottom, left, right, 0, 0});
    pad.inputs = {draft.place(x), pads};
    pad.outputs = {draft.addComputed(tensor, name, dims)};
    const std::int32_t padded = pad.outputs[0];
    draft.append(std::move(pad));
    return padded;
}

std::int64_t paddingCode(const PortableParameters& parameters)
{
    return parameters.padding == PortablePadding::Same ? paddingSame : paddingValid;
}

Status appendConv(TfliteDraft& draft, const PortableOperation& operation)
{
    const PortableParameters& p = operation.parameters;
    const PortableTensor& weights = draft.portable(operation.input(1));
    TfliteOperator op{.code = 3, .optionsType = 1};
    const std::int32_t x = paddedInput(draft, operation);
    op.inputs = {x, reordered(draft, operation.input(1), {3, 0, 1, 2}, 0),
                 biasOf(draft, operation, weights.dims[3])};
    op.outputs = draft.places(operation.outputs);
    op.options = {byteOption(0, paddingCode(p)),  intOption(1, p.stride[1]),
                  intOption(2, p.stride[0]),      activationOption(3, operation.activation),
                  intOption(4, p.dilation[1], 1), intOption(5, p.dilation[0], 1)};
    const bool isHybrid = weights.dtype == DType::Int8;
    const PortableTensor& input = draft.portable(operation.input(0));
    const std::int64_t groups = input.channels() / std::max<std::int64_t>(weights.dims[2], 1);
    op.version = input.dtype == DType::Int8 ? 3 : isHybrid ? 5 : groups > 1 ? 6 : 1;
    draft.append(std::move(op));
    return Done{};
}

Status appendConv3d(TfliteDraft& draft, const PortableOperation& operation)
{
    const PortableParameters& p = operation.parameters;
    TfliteOperator op{.code = 132, .optionsType = 106};
    op.inputs = {draft.place(operation.input(0)), draft.place(operation.input(1))};
    op.outputs = draft.places(operation.outputs);
    op.options = {byteOption(0, paddingCode(p)), intOption(1, p.step[0]),
                  intOption(2, p.step[2]),       intOption(3, p.step[1]),
                  intOption(5, p.sizes[0], 1),   intOption(6, p.sizes[2], 1),
                  intOption(7, p.sizes[1], 1)};
    draft.append(std::move(op));
    return Done{};
}

Status appendDepthwise(TfliteDraft& draft, const PortableOperation& operation)
{
    const PortableParameters& p = operation.parameters;
    const PortableTensor& weights = draft.portable(operation.input(1));
    const std::int64_t channels = weights.dims[2] * weights.dims[3];
    TfliteOperator op{.code = 4, .optionsType = 2};
    const std::int32_t x = paddedInput(draft, operation);
    const std::vector<std::int64_t> dims{1, weights.dims[0], weights.dims[1], channels};
    constexpr std::int32_t reshape = 22;
    op.inputs = {x,
                 weights.isConstant
                     ? draft.addConstant(weights, dims, weights.bytes, 3)
                     : computedWeights(draft, operation.input(1), reshape, "flat", dims, dims),
                 biasOf(draft, operation, channels)};
    op.outputs = draft.places(operation.outputs);
    op.options = {byteOption(0, paddingCode(p)),
                  intOption(1, p.stride[1]),
                  intOption(2, p.stride[0]),
                  intOption(3, weights.dims[3]),
                  activationOption(4, operation.activation),
                  intOption(5, p.dilation[1], 1),
                  intOption(6, p.dilation[0], 1)};
    const bool isDilated = p.dilation != std::array<std::int64_t, 2>{1, 1};
    op.version = draft.portable(operation.input(0)).dtype == DType::Int8 ? 3
                 : weights.dtype == DType::Int8                          ? 6
                 : isDilated                                             ? 2
                                                                         : 1;
    draft.append(std::move(op));
    return Done{};
}

Status appendTransposeConv(TfliteDraft& draft, const PortableOperation& operation)
{
    const PortableParameters& p = operation.parameters;
    if (p.padding == PortablePadding::Explicit || p.dilation != std::array<std::int64_t, 2>{1, 1})
        return Error{ErrorCode::Unsupported,
                     "TFLite's transposed convolution has neither explicit padding nor dilation"};
    const PortableTensor& output = draft.portable(operation.outputs[0]);
    const bool isInt8 = draft.portable(operation.input(0)).dtype == DType::Int8;
    TfliteOperator op{.code = 67, .version = isInt8 ? 2 : 1, .optionsType = 49};
    op.inputs = {draft.addInts(output.name + "/sizes", output.dims),
                 reordered(draft, operation.input(1), {2, 0, 1, 3}, 0),
                 draft.place(operation.input(0))};
    if (operation.input(2) != noTensor) {
        op.inputs.push_back(draft.place(operation.input(2)));
        op.version = 3;
    }
    op.outputs = draft.places(operation.outputs);
    op.options = {byteOption(0, paddingCode(p)), intOption(1, p.stride[1]),
                  intOption(2, p.stride[0])};
    draft.append(std::move(op));
    return Done{};
}

Status appendFullyConnected(TfliteDraft& draft, const PortableOperation& operation)
{
    const PortableTensor& weights = draft.portable(operation.input(1));
    TfliteOperator op{.code = 9, .optionsType = 8};
    op.inputs = {draft.place(operation.input(0)), reordered(draft, operation.input(1), {1, 0}, 0),
                 biasOf(draft, operation, weights.dims[1])};
    op.outputs = draft.places(operation.outputs);
    op.options = {activationOption(0, operation.activation)};
    op.version = draft.portable(operation.input(0)).dtype == DType::Int8 ? 4
                 : weights.dtype == DType::Int8 ? (weights.quantized.scales.size() > 1 ? 9 : 3)
                                                : 1;
    draft.append(std::move(op));
    return Done{};
}

Status appendPool(TfliteDraft& draft, const PortableOperation& operation)
{
    const PortableParameters& p = operation.parameters;
    const bool isMax = operation.kind == PortableKind::MaxPool;
    TfliteOperator op{.code = isMax ? 17 : 1, .optionsType = 5};
    op.inputs = draft.places(operation.inputs);
    op.outputs = draft.places(operation.outputs);
    op.options = {byteOption(0, paddingCode(p)), intOption(1, p.stride[1]),
                  intOption(2, p.stride[0]),     intOption(3, p.window[1]),
                  intOption(4, p.window[0]),     activationOption(5, operation.activation)};
    op.version = draft.portable(operation.input(0)).dtype == DType::Int8 ? 2 : 1;
    draft.append(std::move(op));
    return Done{};
}

} // namespace

bool isTfliteLayer(PortableKind kind)
{
    switch (kind) {
    case PortableKind::Conv2D:
    case PortableKind::Conv3D:
    case PortableKind::DepthwiseConv2D:
    case PortableKind::TransposeConv:
    case PortableKind::FullyConnected:
    case PortableKind::MaxPool:
    case PortableKind::AveragePool: return true;
    default: return false;
    }
}

Status appendTfliteLayer(TfliteDraft& draft, const PortableOperation& operation)
{
    switch (operation.kind) {
    case PortableKind::Conv2D: return appendConv(draft, operation);
    case PortableKind::Conv3D: return appendConv3d(draft, operation);
    case PortableKind::DepthwiseConv2D: return appendDepthwise(draft, operation);
    case PortableKind::TransposeConv: return appendTransposeConv(draft, operation);
    case PortableKind::FullyConnected: return appendFullyConnected(draft, operation);
    default: return appendPool(draft, operation);
    }
}

} // namespace lapidary
