// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tflite/tflite_draft.h"

#include "graph_model/tflite/equal_graphs.h"
#include "graph_model/tflite/tflite_from_portable.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

std::vector<std::int32_t> narrowed(const std::vector<std::int64_t>& values)
{
    return {values.begin(), values.end()};
}

TfliteScales scalesOf(const PortableScales& scales, std::int32_t axis)
{
    return {scales.scales, scales.zeros, axis};
}

TfliteTensor described(const PortableTensor& tensor, const std::vector<std::int64_t>& dims)
{
    TfliteTensor described;
    described.name = tensor.name;
    described.type = tfliteType(tensor.dtype).value_or(0);
    described.shape = narrowed(dims);
    if (std::ranges::find(described.shape, -1) != described.shape.end()) {
        described.openShape = described.shape;
        std::ranges::replace(described.shape, -1, 1);
    }
    described.quantized = scalesOf(tensor.quantized, std::int32_t(tensor.quantized.axis));
    return described;
}

} // namespace

std::int32_t TfliteDraft::place(TensorIndex index)
{
    if (index == noTensor)
        return noTensor;
    std::int32_t& place = m_places[std::size_t(index)];
    if (place != noTensor)
        return place;
    const PortableTensor& tensor = m_model.at(index);
    TfliteTensor added = described(tensor, tensor.dims);
    added.isConstant = tensor.isConstant;
    added.bytes = tensor.bytes;
    m_graph.tensors.push_back(std::move(added));
    place = widened(std::int32_t(m_graph.tensors.size() - 1));
    return place;
}

std::int32_t TfliteDraft::widened(std::int32_t constant)
{
    TfliteTensor& halves = m_graph.tensors[std::size_t(constant)];
    if (!halves.isConstant || dtypeOfTflite(halves.type) != DType::Half)
        return constant;
    TfliteTensor floats;
    floats.name = halves.name;
    floats.shape = halves.shape;
    halves.name += "/half";
    m_graph.tensors.push_back(std::move(floats));
    const auto made = std::int32_t(m_graph.tensors.size() - 1);
    append({.code = 6, .version = 3, .optionsType = 38, .inputs = {constant}, .outputs = {made}});
    return made;
}

std::vector<std::int32_t> TfliteDraft::places(std::span<const TensorIndex> indices)
{
    std::vector<std::int32_t> found;
    for (const TensorIndex index : indices)
        found.push_back(place(index));
    return found;
}

std::int32_t TfliteDraft::addConstant(const PortableTensor& like,
                                      const std::vector<std::int64_t>& dims, ConstantBytes bytes,
                                      std::int32_t scaleAxis)
{
    TfliteTensor added = described(like, dims);
    added.quantized.axis = like.quantized.scales.size() > 1 ? scaleAxis : 0;
    added.isConstant = true;
    added.bytes = std::move(bytes);
    m_graph.tensors.push_back(std::move(added));
    return widened(std::int32_t(m_graph.tensors.size() - 1));
}

std::int32_t TfliteDraft::addMatrix(const std::string& name, const std::vector<std::int64_t>& dims,
                                    const std::vector<std::int64_t>& values)
{
    PortableTensor like;
    like.name = name;
    like.dtype = DType::Int32;
    const std::vector<std::int32_t> narrow = narrowed(values);
    std::string bytes(narrow.size() * sizeof(std::int32_t), '\0');
    if (!narrow.empty())
        std::memcpy(bytes.data(), narrow.data(), bytes.size());
    return addConstant(like, dims, ConstantBytes(std::move(bytes)));
}

std::int32_t TfliteDraft::addInts(const std::string& name, const std::vector<std::int64_t>& values)
{
    return addMatrix(name, {std::int64_t(values.size())}, values);
}

std::int32_t TfliteDraft::addInt(const std::string& name, std::int64_t value)
{
    return addMatrix(name, {}, {value});
}

std::int32_t TfliteDraft::addComputed(const PortableTensor& like, std::string name,
                                      const std::vector<std::int64_t>& dims)
{
    TfliteTensor added = described(like, dims);
    added.name = std::move(name);
    m_graph.tensors.push_back(std::move(added));
    return std::int32_t(m_graph.tensors.size() - 1);
}

std::int32_t TfliteDraft::addState(std::string name, const std::vector<std::int64_t>& dims)
{
    const std::int32_t state = addComputed({}, std::move(name), dims);
    m_graph.tensors[std::size_t(state)].isVariable = true;
    return state;
}

TfliteGraph TfliteDraft::finish() &&
{
    m_graph.inputs = places(m_model.inputs);
    m_graph.outputs = places(m_model.outputs);
    return std::move(m_graph);
}

TfliteOption byteOption(std::uint16_t field, std::int64_t value)
{
    return {.field = field, .type = TfliteOption::Type::Byte, .number = value};
}

TfliteOption boolOption(std::uint16_t field, bool value)
{
    return {.field = field, .type = TfliteOption::Type::Bool, .number = value ? 1 : 0};
}

TfliteOption intOption(std::uint16_t field, std::int64_t value, std::int64_t standard)
{
    return {.field = field, .type = TfliteOption::Type::Int, .number = value, .standard = standard};
}

TfliteOption floatOption(std::uint16_t field, float value)
{
    return {.field = field, .type = TfliteOption::Type::Float, .real = value};
}

TfliteOption activationOption(std::uint16_t field, PortableActivation activation)
{
    // ActivationFunctionType: NONE 0, RELU 1, RELU6 3.
    return byteOption(field, activation == PortableActivation::Relu    ? 1
                             : activation == PortableActivation::Relu6 ? 3
                                                                       : 0);
}

namespace {

// Writes the model as a new graph of the file. Its last `captures` inputs are outputs as well.
Status writeGraph(const PortableModel& model, std::string name, std::size_t captures,
                  std::vector<TfliteGraph>& graphs)
{
    const std::size_t place = graphs.size();
    graphs.emplace_back();
    TfliteDraft draft(model, graphs);
    draft.places(model.inputs);
    for (const PortableOperation& operation : model.operations) {
        const Status done = operation.kind == PortableKind::While ? draft.appendLoop(operation)
                            : operation.kind == PortableKind::If  ? draft.appendBranches(operation)
                            : isTfliteLayer(operation.kind) ? appendTfliteLayer(draft, operation)
                                                            : appendTflite(draft, operation);
        if (!done)
            return done.error().within(operation.source);
    }
    for (const PortableTensor& tensor : model.tensors)
        if (!tfliteType(tensor.dtype) || tensor.dtype == DType::String)
            return Error{ErrorCode::Unsupported, tensor.name + ": TFLite's operators do not take " +
                                                     dtypeName(tensor.dtype)};
    TfliteGraph graph = std::move(draft).finish();
    graph.name = std::move(name);
    graph.outputs.insert(graph.outputs.end(), graph.inputs.end() - std::ptrdiff_t(captures),
                         graph.inputs.end());
    graphs[place] = std::move(graph);
    return Done{};
}

// Writes a part of an operation like writeGraph(), unless the file has an equal graph. Returns the
// index of the graph.
Result<std::size_t> writePart(const PortableModel& part, std::string name, std::size_t captures,
                              std::vector<TfliteGraph>& graphs)
{
    const std::size_t place = graphs.size();
    RETURN_IF_ERROR(writeGraph(part, std::move(name), captures, graphs));
    for (std::size_t other = 0; other < place; ++other) // unfinished ones have no outputs yet
        if (isEqualButForNames(graphs[other], graphs[place])) {
            graphs.resize(place);
            return other;
        }
    return place;
}

} // namespace

Status TfliteDraft::appendLoop(const PortableOperation& loop)
{
    constexpr std::int32_t whileCode = 119;
    constexpr std::uint8_t whileOptions = 93;
    const std::size_t captures = loop.inputs.size() - loop.outputs.size();
    TfliteOperator op{.code = whileCode, .optionsType = whileOptions};
    op.inputs = places(loop.inputs);
    op.outputs = places(loop.outputs);
    for (std::size_t i = loop.outputs.size(); i < loop.inputs.size(); ++i) {
        const PortableTensor& passed = portable(loop.inputs[i]);
        op.outputs.push_back(addComputed(passed, passed.name + "/passed", passed.dims));
    }
    const std::string name = portable(loop.outputs.front()).name;
    for (std::size_t part = 0; part < loop.parts.size(); ++part) {
        ASSIGN_OR_RETURN(const std::size_t place,
                         writePart(*loop.parts[part], name + (part == 0 ? "/condition" : "/body"),
                                   part == 0 ? 0 : captures, m_graphs));
        op.options.push_back(intOption(std::uint16_t(part), std::int64_t(place)));
    }
    append(std::move(op));
    return Done{};
}

Status TfliteDraft::appendBranches(const PortableOperation& choice)
{
    constexpr std::int32_t ifCode = 118;
    constexpr std::uint8_t ifOptions = 92;
    TfliteOperator op{.code = ifCode, .optionsType = ifOptions};
    op.inputs = places(choice.inputs);
    op.outputs = places(choice.outputs);
    const std::string name = portable(choice.outputs.front()).name;
    for (std::size_t part = 0; part < choice.parts.size(); ++part) {
        ASSIGN_OR_RETURN(
            const std::size_t place,
            writePart(*choice.parts[part], name + (part == 0 ? "/then" : "/else"), 0, m_graphs));
        op.options.push_back(intOption(std::uint16_t(part), std::int64_t(place)));
    }
    append(std::move(op));
    return Done{};
}

Result<TfliteModel> tfliteFromPortable(const PortableModel& model)
{
    TfliteModel result;
    result.description = model.description;
    RETURN_IF_ERROR(writeGraph(model, "main", 0, result.graphs));
    return result;
}

} // namespace lapidary
