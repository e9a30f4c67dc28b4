// SPDX-License-Identifier: Apache-2.0
#include "graph_model/onnx/onnx_draft.h"

#include "graph_model/onnx/onnx_from_portable.h"
#include "graph_model/portable/permute.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

const std::vector<std::int64_t> toFront{0, 3, 1, 2};
const std::vector<std::int64_t> toLast{0, 2, 3, 1};

bool isPicture(const PortableTensor& tensor)
{
    return tensor.dims.size() == 4;
}

// Returns whether both forms have the elements in the same order.
bool isSameInBoth(const PortableTensor& tensor)
{
    return isPicture(tensor) &&
           (tensor.dims[3] == 1 || (tensor.dims[1] == 1 && tensor.dims[2] == 1));
}

template <class T>
std::string bytesOfNumbers(const std::vector<T>& values)
{
    std::string bytes(values.size() * sizeof(T), '\0');
    if (!values.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

std::string listText(const std::vector<std::int64_t>& values)
{
    std::string text;
    for (const std::int64_t value : values)
        text += (text.empty() ? "" : "_") + std::to_string(value);
    return text;
}

} // namespace

std::int64_t frontAxis(std::int64_t axis)
{
    constexpr std::array<std::int64_t, 4> places{0, 2, 3, 1};
    return places[std::size_t(axis)];
}

std::vector<std::int64_t> dimsIn(const std::vector<std::int64_t>& dims, OnnxForm form)
{
    return form == OnnxForm::Front && dims.size() == 4 ? permutedDims(dims, toFront) : dims;
}

OnnxAttribute onnxInt(std::string name, std::int64_t value)
{
    return {.name = std::move(name), .type = OnnxAttribute::Type::Int, .number = value};
}

OnnxAttribute onnxInts(std::string name, std::vector<std::int64_t> values)
{
    return {
        .name = std::move(name), .type = OnnxAttribute::Type::Ints, .numbers = std::move(values)};
}

OnnxAttribute onnxFloat(std::string name, float value)
{
    return {.name = std::move(name), .type = OnnxAttribute::Type::Float, .real = value};
}

OnnxAttribute onnxText(std::string name, std::string value)
{
    return {.name = std::move(name), .type = OnnxAttribute::Type::String, .text = std::move(value)};
}

OnnxDraft::OnnxDraft(const PortableModel& model, std::int64_t opset)
    : m_model(model)
    , m_opset(opset)
    , m_inputs(model.inputs.size())
    , m_isOutput(portableOutputs(model))
{
    m_result.opset = opset;
    m_result.producer = model.description;
    m_result.graphName = "main";
    for (const auto* ends : {&model.inputs, &model.outputs})
        for (const TensorIndex index : *ends)
            m_taken->add(model.at(index).name);
    for (const TensorIndex index : model.inputs) {
        m_inputNames.insert(model.at(index).name);
        m_names[{index, OnnxForm::Last}] = model.at(index).name;
    }
}

bool OnnxDraft::exists(TensorIndex index, OnnxForm form) const
{
    return m_names.contains({index, form});
}

std::string OnnxDraft::make(TensorIndex index, OnnxForm form)
{
    const PortableTensor& tensor = m_model.at(index);
    if (!isPicture(tensor))
        form = OnnxForm::Last;
    const bool isOutput = !m_isBody && m_isOutput[std::size_t(index)] && form == OnnxForm::Last;
    // Each name is made once: an output that is an input too gets another name.
    const bool isOwnName = isOutput && !m_inputNames.contains(tensor.name);
    const std::string name = isOwnName ? tensor.name : m_taken->fresh(tensor.name);
    m_names[{index, form}] = name;
    if (!isOutput)
        m_result.values.push_back({name, tensor.dtype, dimsIn(tensor.dims, form)});
    return name;
}

std::string OnnxDraft::constantIn(TensorIndex index, OnnxForm form)
{
    const PortableTensor& tensor = m_model.at(index);
    if (form == OnnxForm::Last || tensor.dims.size() > 4 || tensor.elements() == 1)
        return shared(index, tensor.dims);
    std::vector<std::int64_t> dims = tensor.dims;
    dims.insert(dims.begin(), 4 - dims.size(), 1);
    const std::vector<std::int64_t> target = permutedDims(dims, toFront);
    if (dims[1] == 1 && dims[2] == 1)
        return shared(index, target);
    return constant(tensor.name, tensor.dtype, target,
                    tensor.bytes.reordered(dims, toFront, dtypeSize(tensor.dtype)),
                    tensor.quantized);
}

std::string OnnxDraft::converted(TensorIndex index, OnnxForm form)
{
    const PortableTensor& tensor = m_model.at(index);
    const bool isFront = form == OnnxForm::Front;
    const std::string from = name(index, isFront ? OnnxForm::Last : OnnxForm::Front);
    const std::string to = make(index, form);
    if (isSameInBoth(tensor))
        append("Reshape", {from, ints(dimsIn(tensor.dims, form))}, {to});
    else
        append("Transpose", {from}, {to}).attributes = {
            onnxInts("perm", isFront ? toFront : toLast)};
    return to;
}

std::string OnnxDraft::name(TensorIndex index, OnnxForm form)
{
    if (index == noTensor)
        return "";
    const PortableTensor& tensor = m_model.at(index);
    if (!isPicture(tensor) && !tensor.isConstant)
        form = OnnxForm::Last;
    const auto known = m_names.find({index, form});
    if (known != m_names.end())
        return known->second;
    if (!tensor.isConstant)
        return converted(index, form);
    const std::string made = constantIn(index, form);
    m_names[{index, form}] = made;
    return made;
}

void OnnxDraft::setName(TensorIndex index, OnnxForm form, std::string name)
{
    m_names[{index, form}] = std::move(name);
}

bool OnnxDraft::isEnd(TensorIndex index) const
{
    return m_isOutput[std::size_t(index)] || m_inputNames.contains(m_model.at(index).name);
}

std::string OnnxDraft::flat(TensorIndex index)
{
    const bool isFront = isSameInBoth(m_model.at(index)) && exists(index, OnnxForm::Front) &&
                         !exists(index, OnnxForm::Last);
    return name(index, isFront ? OnnxForm::Front : OnnxForm::Last);
}

std::string OnnxDraft::between(const std::string& base, DType dtype, std::vector<std::int64_t> dims)
{
    std::string name = m_taken->fresh(base);
    m_result.values.push_back({name, dtype, std::move(dims)});
    return name;
}

std::string OnnxDraft::add(OnnxTensor tensor, const PortableScales& scales)
{
    constexpr std::size_t leastShared = 64; // bytes; fewer gain nothing, and keep their names
    if (tensor.bytes.size() < leastShared)
        return addNew(std::move(tensor), scales);
    const std::size_t hash = tensor.bytes.hash();
    const auto [first, last] = m_added.equal_range(hash);
    const auto known = std::find_if(first, last, [&](const auto& entry) {
        const OnnxTensor& other = m_result.initializers[entry.second.initializer];
        return other.dtype == tensor.dtype && other.dims == tensor.dims &&
               entry.second.scales == scales && other.bytes == tensor.bytes;
    });
    if (known != last)
        return known->second.name;
    Added added{m_result.initializers.size(), scales, {}};
    added.name = addNew(std::move(tensor), scales);
    return m_added.emplace(hash, std::move(added))->second.name;
}

std::string OnnxDraft::addNew(OnnxTensor tensor, const PortableScales& scales)
{
    const bool isHalf = tensor.dtype == DType::Half;
    if (!isHalf && !scales.isSet()) {
        tensor.name = m_taken->fresh(tensor.name);
        m_result.initializers.push_back(std::move(tensor));
        return m_result.initializers.back().name;
    }
    const std::string made = between(tensor.name, DType::Float, tensor.dims);
    tensor.name = m_taken->fresh(tensor.name + "/stored");
    const std::string stored = tensor.name;
    const DType dtype = tensor.dtype;
    m_result.initializers.push_back(std::move(tensor));
    if (isHalf) {
        append("Cast", {stored}, {made}).attributes = {onnxInt("to", onnxType(DType::Float))};
        return made;
    }
    const auto count = std::int64_t(scales.scales.size());
    const std::vector<std::int64_t> dims =
        count > 1 ? std::vector{count} : std::vector<std::int64_t>();
    const std::string scale =
        constant(stored + "/scale", DType::Float, dims, bytesOf(scales.scales));
    std::string zeros(dtypeSize(dtype) * scales.scales.size(), '\0');
    for (std::size_t i = 0; dtype == DType::Int8 && i < scales.zeros.size(); ++i)
        zeros[i] = char(std::int8_t(scales.zeros[i]));
    const std::string zero = constant(stored + "/zero", dtype, dims, std::move(zeros));
    append("DequantizeLinear", {stored, scale, zero}, {made}).attributes = {
        onnxInt("axis", count > 1 ? scales.axis : 0)};
    return made;
}

std::string OnnxDraft::constant(const std::string& base, DType dtype,
                                std::vector<std::int64_t> dims, ConstantBytes bytes,
                                const PortableScales& scales)
{
    OnnxTensor tensor;
    tensor.name = base;
    tensor.dtype = dtype;
    tensor.dims = std::move(dims);
    tensor.bytes = std::move(bytes);
    return add(std::move(tensor), scales);
}

std::string OnnxDraft::shared(TensorIndex index, std::vector<std::int64_t> dims)
{
    const PortableTensor& from = m_model.at(index);
    OnnxTensor tensor;
    tensor.name = from.name;
    tensor.dtype = from.dtype;
    tensor.dims = std::move(dims);
    tensor.bytes = from.bytes;
    return add(std::move(tensor), from.quantized);
}

std::string OnnxDraft::ints(const std::vector<std::int64_t>& values)
{
    std::string& known = m_numbers["list_" + listText(values)];
    if (known.empty())
        known = constant("list_" + listText(values), DType::Int64, {std::int64_t(values.size())},
                         bytesOfNumbers(values));
    return known;
}

std::string OnnxDraft::oneInt(std::int64_t value)
{
    std::string& known = m_numbers["number_" + std::to_string(value)];
    if (known.empty())
        known = constant("number_" + std::to_string(value), DType::Int64, {},
                         bytesOfNumbers<std::int64_t>({value}));
    return known;
}

std::string OnnxDraft::oneFloat(float value)
{
    const std::string bytes = bytesOfNumbers<float>({value});
    std::string& known = m_numbers["float_" + bytes];
    if (known.empty())
        known = constant("float_" + std::to_string(value), DType::Float, {}, bytes);
    return known;
}

OnnxNode& OnnxDraft::append(std::string op, std::vector<std::string> inputs,
                            std::vector<std::string> outputs)
{
    std::string name = outputs.front();
    m_result.nodes.push_back({.op = std::move(op),
                              .name = std::move(name),
                              .inputs = std::move(inputs),
                              .outputs = std::move(outputs)});
    return m_result.nodes.back();
}

std::string OnnxDraft::step(const std::string& op, std::vector<std::string> inputs, DType dtype,
                            std::vector<std::int64_t> dims)
{
    const std::string made = between(m_base + "/" + op, dtype, std::move(dims));
    append(op, std::move(inputs), {made});
    return made;
}

void OnnxDraft::begin(const PortableOperation& operation)
{
    m_base = m_model.at(operation.outputs.front()).name;
}

OnnxModel OnnxDraft::finish() &&
{
    for (const TensorIndex index : m_model.outputs)
        name(index, OnnxForm::Last);
    for (std::size_t i = 0; i < m_inputs; ++i) {
        const PortableTensor& tensor = m_model.at(m_model.inputs[i]);
        m_result.inputs.push_back(
            {name(m_model.inputs[i], OnnxForm::Last), tensor.dtype, tensor.dims});
    }
    for (const TensorIndex index : m_model.outputs) {
        const PortableTensor& tensor = m_model.at(index);
        m_result.outputs.push_back({name(index, OnnxForm::Last), tensor.dtype, tensor.dims});
    }
    if (m_isBody)
        finishBody();
    return std::move(m_result);
}

Status OnnxDraft::appendAll()
{
    for (const PortableOperation& operation : m_model.operations) {
        begin(operation);
        const PortableKind kind = operation.kind;
        if (hasRuntimeSize(kind)) {
            appendOnnxRuntimeSize(*this, operation);
            continue;
        }
        if (isRecurrentLayer(kind)) {
            appendOnnxRecurrent(*this, operation);
            continue;
        }
        const Status done = kind == PortableKind::Loop ? appendLoop(operation)
                            : kind == PortableKind::If ? appendBranches(operation)
                            : isOnnxLayer(kind)        ? appendOnnxLayer(*this, operation)
                            : isOnnxElement(kind)      ? appendOnnxElement(*this, operation)
                                                       : appendOnnxShape(*this, operation);
        if (!done)
            return done.error().within(operation.source);
    }
    return Done{};
}

bool onnxComputesDouble(PortableKind kind)
{
    switch (kind) {
    case PortableKind::AveragePool:
    case PortableKind::ChannelAffine:
    case PortableKind::Conv2D:
    case PortableKind::Conv3D:
    case PortableKind::DepthToSpace:
    case PortableKind::DepthwiseConv2D:
    case PortableKind::Dequantize:
    case PortableKind::Elu:
    case PortableKind::Erf:
    case PortableKind::FullyConnected:
    case PortableKind::Gelu:
    case PortableKind::Gru:
    case PortableKind::LeakyRelu:
    case PortableKind::Lrn:
    case PortableKind::Lstm:
    case PortableKind::MaxPool:
    case PortableKind::MirrorPad:
    case PortableKind::NonMaxSuppression:
    case PortableKind::Quantize:
    case PortableKind::Relu6:
    case PortableKind::ResizeBilinear:
    case PortableKind::ResizeNearest:
    case PortableKind::Rnn:
    case PortableKind::Selu:
    case PortableKind::Softplus:
    case PortableKind::SpaceToDepth:
    case PortableKind::TransposeConv: return false;
    default: return true;
    }
}

Result<OnnxModel> onnxFromPortable(const PortableModel& model, std::int64_t opset)
{
    for (const PortableTensor& tensor : model.tensors)
        if (onnxType(tensor.dtype) == 0 || tensor.dtype == DType::String)
            return Error{ErrorCode::Unsupported,
                         tensor.name + ": ONNX' operators do not take " + dtypeName(tensor.dtype)};
    const std::optional<PortableModel> loops =
        hasLoops(model) ? std::optional(withOnnxLoops(model)) : std::nullopt;
    OnnxDraft draft(loops ? *loops : model, opset);
    RETURN_IF_ERROR(draft.appendAll());
    return std::move(draft).finish();
}

} // namespace lapidary
