// SPDX-License-Identifier: Apache-2.0
// Reads the messages without copying weights. Errors contain the position in the file.
#include "graph_model/onnx/onnx_model.h"
#include "graph_model/onnx/onnx_sparse.h"
#include "graph_model/onnx/onnx_values.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace lapidary {
namespace {

// Levels of nested bodies; models have two or three.
constexpr int mostLevels = 32;
constexpr std::size_t mostAttributes = 1000;

class OnnxDecoder {
public:
    explicit OnnxDecoder(const BufferPtr& bytes)
        : m_bytes(bytes)
    {
    }

    Result<OnnxModel> decode()
    {
        OnnxModel model;
        bool hasGraph = false;
        RETURN_IF_ERROR(eachField(m_bytes->bytes(), [&](const WireField& field) -> Status {
            const bool isBytes = field.type == WireType::Bytes;
            if (field.field == 2 && isBytes)
                model.producer = field.bytes();
            else if (field.field == 8 && isBytes)
                return readOpset(field.bytes(), model.opset);
            else if (field.field == 25 && isBytes)
                return readFunction(field.bytes(), model.functions.emplace_back());
            else if (field.field == 7 && isBytes) {
                hasGraph = true;
                return readGraph(field.bytes(), model, 0);
            }
            return Done{};
        }));
        if (!hasGraph)
            return Error{ErrorCode::BadFile, "it holds no graph"};
        return model;
    }

private:
    using Handler = std::function<Status(const WireField&)>;

    Error at(const char* place, const std::string& what) const
    {
        return {ErrorCode::BadFile,
                "byte " + std::to_string(place - m_bytes->bytes().data()) + ": " + what};
    }

    Status eachField(std::string_view message, const Handler& handle) const
    {
        WireCursor cursor(message);
        WireField field;
        while (cursor.next(field))
            RETURN_IF_ERROR(handle(field));
        if (!cursor.failed())
            return Done{};
        return at(cursor.faultAt(), cursor.ranOut()
                                        ? "the file or a message in it ends here; copy or "
                                          "download it again if it was cut off"
                                        : "a message is damaged here");
    }

    // OperatorSetIdProto: domain 1, version 2. Only the one of ONNX itself matters.
    Status readOpset(std::string_view message, std::int64_t& opset) const
    {
        bool isOwn = true;
        std::int64_t version = 0;
        RETURN_IF_ERROR(eachField(message, [&](const WireField& field) -> Status {
            if (field.field == 1 && field.type == WireType::Bytes)
                isOwn = field.bytes().empty() || field.bytes() == "ai.onnx";
            else if (field.field == 2 && field.type == WireType::Varint)
                version = std::int64_t(field.number);
            return Done{};
        }));
        if (isOwn)
            opset = version;
        return Done{};
    }

    Status readGraph(std::string_view message, OnnxGraph& graph, int level) const
    {
        return eachField(message, [&](const WireField& field) -> Status {
            if (field.type != WireType::Bytes)
                return Done{};
            const std::string_view bytes = field.bytes();
            switch (field.field) {
            case 1: return readNode(bytes, graph.nodes.emplace_back(), level);
            case 2: graph.graphName = bytes; return Done{};
            case 5: {
                ASSIGN_OR_RETURN(OnnxTensor tensor, tensorOf(bytes));
                graph.initializers.push_back(std::move(tensor));
                return Done{};
            }
            case 11: return readValue(bytes, graph.inputs.emplace_back());
            case 12: return readValue(bytes, graph.outputs.emplace_back());
            case 13: return readValue(bytes, graph.values.emplace_back());
            case 15: {
                ASSIGN_OR_RETURN(OnnxTensor tensor, sparseTensorOf(bytes));
                graph.initializers.push_back(std::move(tensor));
                return Done{};
            }
            default: return Done{};
            }
        });
    }

    // FunctionProto: name 1, input 4, output 5, node 7, domain 10, value_info 12.
    Status readFunction(std::string_view message, OnnxFunction& function) const
    {
        return eachField(message, [&](const WireField& field) -> Status {
            if (field.type != WireType::Bytes)
                return Done{};
            const std::string_view bytes = field.bytes();
            OnnxGraph& body = function.body;
            const auto untyped = [&] {
                return OnnxValue{std::string(bytes), DType::Invalid, {}, false};
            };
            switch (field.field) {
            case 1: function.name = bytes; return Done{};
            case 4: body.inputs.push_back(untyped()); return Done{};
            case 5: body.outputs.push_back(untyped()); return Done{};
            case 7: return readNode(bytes, body.nodes.emplace_back(), 0);
            case 10: function.domain = bytes; return Done{};
            case 12: return readValue(bytes, body.values.emplace_back());
            default: return Done{};
            }
        });
    }

    Status readNode(std::string_view message, OnnxNode& node, int level) const
    {
        RETURN_IF_ERROR(eachField(message, [&](const WireField& field) -> Status {
            if (field.type != WireType::Bytes)
                return Done{};
            switch (field.field) {
            case 1: node.inputs.emplace_back(field.bytes()); return Done{};
            case 2: node.outputs.emplace_back(field.bytes()); return Done{};
            case 3: node.name = field.bytes(); return Done{};
            case 4: node.op = field.bytes(); return Done{};
            case 5:
                if (node.attributes.size() == mostAttributes)
                    return at(field.tag, "a node has more attributes than any operator");
                return readAttribute(field.bytes(), node.attributes.emplace_back(), level);
            case 7: node.domain = field.bytes(); return Done{};
            default: return Done{};
            }
        }));
        if (node.op.empty())
            return at(message.data(), "a node has no operator");
        if (node.domain == "ai.onnx")
            node.domain.clear();
        return Done{};
    }

    Status readAttribute(std::string_view message, OnnxAttribute& attribute, int level) const
    {
        attribute.type = OnnxAttribute::Type::Unknown;
        RETURN_IF_ERROR(readAttributeFields(message, attribute, level));
        if (attribute.name == "sparse_value") // of a Constant; it has its zeros by now
            attribute.name = "value";
        return Done{};
    }

    Status readAttributeFields(std::string_view message, OnnxAttribute& attribute, int level) const
    {
        using Type = OnnxAttribute::Type;
        const auto is = [&](Type type) { attribute.type = type; };
        return eachField(message, [&](const WireField& field) -> Status {
            const bool isBytes = field.type == WireType::Bytes;
            switch (field.field) {
            case 1: attribute.name = isBytes ? field.bytes() : std::string_view(); break;
            case 2:
                attribute.real = std::bit_cast<float>(std::uint32_t(field.number));
                is(Type::Float);
                break;
            case 3:
                attribute.number = std::int64_t(field.number);
                is(Type::Int);
                break;
            case 4:
                attribute.text = isBytes ? field.bytes() : std::string_view();
                is(Type::String);
                break;
            case 7:
                appendFloats(field, attribute.reals);
                is(Type::Floats);
                break;
            case 8:
                appendNumbers(field, attribute.numbers);
                is(Type::Ints);
                break;
            case 9:
                attribute.texts.emplace_back(isBytes ? field.bytes() : std::string_view());
                is(Type::Strings);
                break;
            case 20:
                // Only the type field tells the type of empty lists and of 0, which have no other
                // field.
                if (attribute.type == Type::Unknown && field.number <= 8)
                    attribute.type = Type(field.number);
                break;
            default: return isBytes ? readPart(field, attribute, level) : Status(Done{});
            }
            return Done{};
        });
    }

    // Reads a tensor, dense or not, or a graph in an attribute.
    Status readPart(const WireField& field, OnnxAttribute& attribute, int level) const
    {
        if (field.field == 5) {
            ASSIGN_OR_RETURN(attribute.tensor, tensorOf(field.bytes()));
            attribute.type = OnnxAttribute::Type::Tensor;
        }
        if (field.field == 22) {
            ASSIGN_OR_RETURN(attribute.tensor, sparseTensorOf(field.bytes()));
            attribute.type = OnnxAttribute::Type::Tensor;
        }
        if (field.field == 6) {
            if (level >= mostLevels)
                return at(field.tag, "graphs are nested deeper than any model's");
            auto graph = std::make_shared<OnnxGraph>();
            RETURN_IF_ERROR(readGraph(field.bytes(), *graph, level + 1));
            attribute.graph = std::move(graph);
            attribute.type = OnnxAttribute::Type::Graph;
        }
        return Done{};
    }

    // ValueInfoProto: name 1, type 2; TypeProto: tensor_type 1.
    Status readValue(std::string_view message, OnnxValue& value) const
    {
        value.dtype = DType::Invalid;
        value.hasShape = false;
        return eachField(message, [&](const WireField& field) -> Status {
            if (field.type != WireType::Bytes)
                return Done{};
            if (field.field == 1)
                value.name = field.bytes();
            if (field.field != 2)
                return Done{};
            return eachField(field.bytes(), [&](const WireField& type) -> Status {
                const bool isTensor = type.field == 1 && type.type == WireType::Bytes;
                return isTensor ? readTensorType(type.bytes(), value) : Status(Done{});
            });
        });
    }

    // TypeProto.Tensor: elem_type 1, shape 2; TensorShapeProto: dim 1; its dim_value 1.
    Status readTensorType(std::string_view message, OnnxValue& value) const
    {
        return eachField(message, [&](const WireField& field) -> Status {
            if (field.field == 1 && field.type == WireType::Varint)
                value.dtype = dtypeOfOnnx(std::int32_t(field.number));
            if (field.field != 2 || field.type != WireType::Bytes)
                return Done{};
            value.hasShape = true;
            return eachField(field.bytes(), [&](const WireField& dim) -> Status {
                if (dim.field != 1 || dim.type != WireType::Bytes)
                    return Done{};
                if (value.dims.size() == mostOnnxAxes)
                    return at(dim.tag, "the tensor " + value.name + " has too many axes");
                std::int64_t& size = value.dims.emplace_back(-1);
                return eachField(dim.bytes(), [&](const WireField& part) -> Status {
                    if (part.field == 1 && part.type == WireType::Varint)
                        size = std::max<std::int64_t>(std::int64_t(part.number), -1);
                    return Done{};
                });
            });
        });
    }

    Result<OnnxTensor> tensorOf(std::string_view message) const
    {
        RETURN_IF_ERROR(eachField(message, [](const WireField&) -> Status { return Done{}; }));
        auto tensor = onnxTensorOf(message, m_bytes);
        if (!tensor)
            return at(message.data(), tensor.error().message);
        return tensor;
    }

    // SparseTensorProto: values 1, indices 2, dims 3.
    Result<OnnxTensor> sparseTensorOf(std::string_view message) const
    {
        OnnxSparseTensor sparse;
        RETURN_IF_ERROR(eachField(message, [&](const WireField& field) -> Status {
            if (field.field == 3)
                appendNumbers(field, sparse.dims);
            if (field.type != WireType::Bytes || field.field > 2)
                return Done{};
            OnnxTensor& part = field.field == 1 ? sparse.values : sparse.indices;
            ASSIGN_OR_RETURN(part, tensorOf(field.bytes()));
            return Done{};
        }));
        auto tensor = denseTensorOf(sparse, m_unfoldable);
        if (!tensor)
            return at(message.data(), tensor.error().message);
        m_unfoldable -= tensor->bytes.size();
        return tensor;
    }

    BufferPtr m_bytes;
    // Limit of the bytes that sparse tensors expand to; a few bytes of a file could declare any
    // size.
    mutable std::uint64_t m_unfoldable = std::uint64_t(1) << 28;
};

} // namespace

Result<OnnxModel> decodeOnnx(const BufferPtr& bytes)
{
    auto model = OnnxDecoder(bytes).decode();
    if (!model)
        return Error{model.error().code, "is a damaged ONNX file: " + model.error().message};
    return model;
}

} // namespace lapidary
