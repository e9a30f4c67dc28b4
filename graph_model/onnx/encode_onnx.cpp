// SPDX-License-Identifier: Apache-2.0
// Messages are written from the inside out, so that their lengths are known. Large weights are
// added when the file is written.
#include "graph_model/base/wire.h"
#include "graph_model/onnx/onnx_model.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <utility>

namespace lapidary {
namespace {

constexpr std::uint64_t largestFile = (std::uint64_t(1) << 31) - 1;

// TensorProto.DataType.
constexpr std::array types = std::to_array<std::pair<DType, std::int32_t>>({
    {DType::Float, 1},
    {DType::UInt8, 2},
    {DType::Int8, 3},
    {DType::UInt16, 4},
    {DType::Int16, 5},
    {DType::Int32, 6},
    {DType::Int64, 7},
    {DType::String, 8},
    {DType::Bool, 9},
    {DType::Half, 10},
    {DType::Double, 11},
    {DType::UInt32, 12},
    {DType::UInt64, 13},
    {DType::BFloat16, 16},
});

// Returns the lowest IR version for an opset, that of its release.
std::int64_t irVersion(std::int64_t opset)
{
    return opset >= 21 ? 10 : opset >= 19 ? 9 : opset >= 15 ? 8 : 7;
}

std::string tagAndLength(std::uint32_t field, std::uint64_t length)
{
    std::string bytes;
    for (std::uint64_t value : {(std::uint64_t(field) << 3) | 2, length}) {
        while (value >= 0x80) {
            bytes += char(value | 0x80);
            value >>= 7;
        }
        bytes += char(value);
    }
    return bytes;
}

std::string encoded(const OnnxGraph& graph);
std::string encodedHead(const OnnxTensor& tensor);

std::string encoded(const OnnxAttribute& attribute)
{
    using Type = OnnxAttribute::Type;
    std::string bytes;
    WireWriter writer(bytes);
    writer.bytes(1, attribute.name);
    if (attribute.type == Type::Float)
        writer.fixed32(2, std::bit_cast<std::uint32_t>(attribute.real));
    if (attribute.type == Type::Int)
        writer.varint(3, std::uint64_t(attribute.number));
    if (attribute.type == Type::String)
        writer.bytes(4, attribute.text);
    if (attribute.type == Type::Tensor)
        writer.bytes(5, encodedHead(attribute.tensor) + std::string(attribute.tensor.bytes.view()));
    if (attribute.graph != nullptr)
        writer.bytes(6, encoded(*attribute.graph));
    for (const float real : attribute.reals)
        writer.fixed32(7, std::bit_cast<std::uint32_t>(real));
    for (const std::int64_t number : attribute.numbers)
        writer.varint(8, std::uint64_t(number));
    for (const std::string& text : attribute.texts)
        writer.bytes(9, text);
    writer.varint(20, std::uint64_t(attribute.type));
    return bytes;
}

std::string encoded(const OnnxNode& node)
{
    std::string bytes;
    WireWriter writer(bytes);
    for (const std::string& input : node.inputs)
        writer.bytes(1, input);
    for (const std::string& output : node.outputs)
        writer.bytes(2, output);
    writer.bytes(3, node.name);
    writer.bytes(4, node.op);
    for (const OnnxAttribute& attribute : node.attributes)
        writer.bytes(5, encoded(attribute));
    if (!node.domain.empty())
        writer.bytes(7, node.domain);
    return bytes;
}

std::string encoded(const OnnxValue& value)
{
    std::string shape;
    WireWriter shapeWriter(shape);
    for (const std::int64_t dim : value.dims) {
        std::string size;
        if (dim >= 0)
            WireWriter(size).varint(1, std::uint64_t(dim));
        shapeWriter.bytes(1, size);
    }
    std::string tensor;
    WireWriter tensorWriter(tensor);
    tensorWriter.varint(1, std::uint64_t(onnxType(value.dtype)));
    if (value.hasShape)
        tensorWriter.bytes(2, shape);
    std::string type;
    WireWriter(type).bytes(1, tensor);
    std::string bytes;
    WireWriter writer(bytes);
    writer.bytes(1, value.name);
    writer.bytes(2, type);
    return bytes;
}

// Encodes a TensorProto except its values, which follow.
std::string encodedHead(const OnnxTensor& tensor)
{
    std::string bytes;
    WireWriter writer(bytes);
    for (const std::int64_t dim : tensor.dims)
        writer.varint(1, std::uint64_t(dim));
    writer.varint(2, std::uint64_t(onnxType(tensor.dtype)));
    writer.bytes(8, tensor.name);
    return bytes + tagAndLength(9, tensor.bytes.size());
}

// The graph as consecutive pieces.
struct Pieces {
    std::vector<std::pair<std::string, ConstantBytes>> all; // encoded bytes, then a constant
    std::uint64_t size = 0;

    void add(std::string made, ConstantBytes constant = {})
    {
        size += made.size() + constant.size();
        all.emplace_back(std::move(made), std::move(constant));
    }
    void addMessage(std::uint32_t field, const std::string& message)
    {
        add(tagAndLength(field, message.size()) + message);
    }
};

Pieces graphPieces(const OnnxGraph& model)
{
    Pieces pieces;
    for (const OnnxNode& node : model.nodes)
        pieces.addMessage(1, encoded(node));
    pieces.addMessage(2, model.graphName);
    for (const OnnxTensor& tensor : model.initializers) {
        std::string head = encodedHead(tensor);
        pieces.add(tagAndLength(5, head.size() + tensor.bytes.size()) + head, tensor.bytes);
    }
    for (const OnnxValue& value : model.inputs)
        pieces.addMessage(11, encoded(value));
    for (const OnnxValue& value : model.outputs)
        pieces.addMessage(12, encoded(value));
    for (const OnnxValue& value : model.values)
        pieces.addMessage(13, encoded(value));
    return pieces;
}

// The file's bytes under construction; those of gaps are never touched.
class Frame final : public Buffer {
public:
    explicit Frame(std::uint64_t size)
        : m_memory(new char[size]) // NOLINT(modernize-make-unique): it would be zeroed
    {
        m_bytes = {m_memory.get(), size};
    }

    void put(std::string_view bytes)
    {
        std::ranges::copy(bytes, m_memory.get() + m_place);
        m_place += bytes.size();
    }
    void put(const Pieces& pieces)
    {
        for (const auto& [made, constant] : pieces.all) {
            put(made);
            if (constant.size() < ConstantBytes::leastDeferred) {
                put(constant.view());
            } else {
                m_gaps.push_back({m_place, constant});
                m_place += constant.size();
            }
        }
    }
    std::vector<EncodedModel::Gap> takeGaps() { return std::move(m_gaps); }

private:
    std::unique_ptr<char[]> m_memory; // NOLINT(modernize-avoid-c-arrays)
    std::size_t m_place = 0;
    std::vector<EncodedModel::Gap> m_gaps;
};

std::string encoded(const OnnxGraph& graph)
{
    const Pieces pieces = graphPieces(graph);
    std::string bytes;
    bytes.reserve(pieces.size);
    for (const auto& [made, constant] : pieces.all) {
        bytes += made;
        bytes += constant.read().view();
    }
    return bytes;
}

} // namespace

std::int32_t onnxType(DType dtype)
{
    for (const auto& [known, type] : types)
        if (known == dtype)
            return type;
    return 0;
}

DType dtypeOfOnnx(std::int32_t type)
{
    for (const auto& [dtype, known] : types)
        if (known == type)
            return dtype;
    return DType::Invalid;
}

Result<EncodedModel> encodeOnnx(const OnnxModel& model)
{
    const Pieces graph = graphPieces(model);
    if (graph.size > largestFile)
        return Error{ErrorCode::Unsupported, "the file would have " + std::to_string(graph.size) +
                                                 " bytes, and one .onnx file holds 2 GiB; export "
                                                 "with half-float weights"};
    std::string head;
    WireWriter writer(head);
    writer.varint(1, std::uint64_t(irVersion(model.opset)));
    writer.bytes(2, model.producer);
    head += tagAndLength(7, graph.size);
    std::string opset;
    WireWriter opsetWriter(opset);
    opsetWriter.bytes(1, "");
    opsetWriter.varint(2, std::uint64_t(model.opset));
    const std::string tail = tagAndLength(8, opset.size()) + opset;
    const auto frame = std::make_shared<Frame>(head.size() + graph.size + tail.size());
    frame->put(head);
    frame->put(graph);
    frame->put(tail);
    return EncodedModel(frame, frame->takeGaps());
}

} // namespace lapidary
