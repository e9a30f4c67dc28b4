// SPDX-License-Identifier: Apache-2.0
// Equal constants are stored once; so are operator codes of equal code and version.
#include "graph_model/tflite/tflite_model.h"
#include "graph_model/tflite/tflite_schema.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace lapidary {
namespace {

namespace schema = tflite_schema;
using flatbuffers::FieldIndexToOffset;
using flatbuffers::Offset;
using Table = Offset<void>;
using Tables = Offset<flatbuffers::Vector<Offset<Table>>>;

constexpr std::uint64_t largestFile = (std::uint64_t(1) << 31) - 1;
constexpr std::size_t bufferAlignment = 16;

class EncodedFile final : public Buffer {
public:
    explicit EncodedFile(flatbuffers::DetachedBuffer file)
        : m_file(std::move(file))
    {
        m_bytes = {reinterpret_cast<const char*>(m_file.data()), m_file.size()};
    }

private:
    flatbuffers::DetachedBuffer m_file;
};

struct HashOfBytes {
    std::size_t operator()(const ConstantBytes& bytes) const { return bytes.hash(); }
};

class Encoder {
public:
    explicit Encoder(const TfliteModel& model, std::size_t expectedBytes)
        : m_model(model)
        , m_out(expectedBytes)
    {
    }

    EncodedModel encode()
    {
        collectBuffers();
        std::vector<Table> graphs;
        for (const TfliteGraph& graph : m_model.graphs)
            graphs.push_back(subgraph(graph));
        const auto signatures = signatureTables();
        const auto metadata = metadataTables();
        const auto buffers = bufferTables();
        const auto codes = codeTables();
        const auto subgraphs = m_out.CreateVector(graphs);
        const auto description = m_out.CreateString(m_model.description);
        const auto start = m_out.StartTable();
        m_out.AddElement<std::uint32_t>(at(schema::model::version), schema::version, 0);
        m_out.AddOffset(at(schema::model::operatorCodes), codes);
        m_out.AddOffset(at(schema::model::subgraphs), subgraphs);
        m_out.AddOffset(at(schema::model::description), description);
        m_out.AddOffset(at(schema::model::buffers), buffers);
        if (!metadata.IsNull())
            m_out.AddOffset(at(schema::model::metadata), metadata);
        m_out.AddOffset(at(schema::model::signatures), signatures);
        m_out.Finish(Table(m_out.EndTable(start)), schema::identifier);
        const std::uint64_t size = m_out.GetSize();
        std::vector<EncodedModel::Gap> gaps;
        for (const auto& [fromEnd, constant] : m_gaps)
            gaps.push_back({size - fromEnd, constant});
        std::ranges::sort(gaps, {}, &EncodedModel::Gap::offset);
        return {std::make_shared<const EncodedFile>(m_out.Release()), std::move(gaps)};
    }

private:
    using Vector = Offset<flatbuffers::Vector<Table>>;

    static flatbuffers::voffset_t at(schema::Field field) { return FieldIndexToOffset(field); }

    // Buffer 0 is empty: computed tensors refer to it.
    void collectBuffers()
    {
        m_buffers.emplace_back();
        if (!m_model.minimumRuntime.empty()) {
            m_hasRuntime = true;
            std::string runtime = m_model.minimumRuntime;
            runtime.resize(16, '\0');
            m_buffers.emplace_back(std::move(runtime));
        }
        for (const TfliteGraph& graph : m_model.graphs)
            for (const TfliteTensor& tensor : graph.tensors)
                if (tensor.isConstant && !tensor.bytes.empty()) {
                    if (m_bufferOf.try_emplace(tensor.bytes, m_buffers.size()).second)
                        m_buffers.push_back(tensor.bytes);
                    tensor.bytes.release();
                }
    }

    std::uint32_t bufferOf(const TfliteTensor& tensor) const
    {
        const auto found = m_bufferOf.find(tensor.bytes);
        return tensor.isConstant && found != m_bufferOf.end() ? std::uint32_t(found->second) : 0;
    }

    Vector bufferTables()
    {
        std::vector<Table> tables;
        for (const ConstantBytes& bytes : m_buffers) {
            Offset<flatbuffers::Vector<std::uint8_t>> data;
            if (!bytes.empty())
                data = bufferData(bytes);
            const auto start = m_out.StartTable();
            if (!data.IsNull())
                m_out.AddOffset(at(schema::buffer::data), data);
            tables.emplace_back(m_out.EndTable(start));
        }
        return m_out.CreateVector(tables);
    }

    // Large values are inserted when the file is written; until then their memory is not touched.
    Offset<flatbuffers::Vector<std::uint8_t>> bufferData(const ConstantBytes& bytes)
    {
        m_out.ForceVectorAlignment(bytes.size(), 1, bufferAlignment);
        if (bytes.size() < ConstantBytes::leastDeferred)
            return m_out.CreateVector(reinterpret_cast<const std::uint8_t*>(bytes.view().data()),
                                      bytes.size());
        std::uint8_t* place = nullptr;
        const auto data = m_out.CreateUninitializedVector(bytes.size(), &place);
        m_gaps.emplace_back(m_out.GetSize() - sizeof(flatbuffers::uoffset_t), bytes);
        return data;
    }

    Vector codeTables()
    {
        std::vector<Table> tables(m_codes.size());
        for (const auto& [code, index] : m_codes) {
            const auto& [builtin, custom, version] = code;
            Offset<flatbuffers::String> name;
            if (!custom.empty())
                name = m_out.CreateString(custom);
            const auto start = m_out.StartTable();
            const auto old = std::int8_t(std::min(builtin, schema::lastOldBuiltin));
            m_out.AddElement<std::int8_t>(at(schema::operator_code::oldBuiltin), old, 0);
            if (!name.IsNull())
                m_out.AddOffset(at(schema::operator_code::custom), name);
            m_out.AddElement<std::int32_t>(at(schema::operator_code::version), version, 1);
            m_out.AddElement<std::int32_t>(at(schema::operator_code::builtin), builtin, 0);
            tables[index] = Table(m_out.EndTable(start));
        }
        return m_out.CreateVector(tables);
    }

    Vector metadataTables()
    {
        if (!m_hasRuntime)
            return {};
        const auto name = m_out.CreateString("min_runtime_version");
        const auto start = m_out.StartTable();
        m_out.AddOffset(at(schema::metadata::name), name);
        m_out.AddElement<std::uint32_t>(at(schema::metadata::buffer), 1, 0);
        return m_out.CreateVector(std::vector<Table>{Table(m_out.EndTable(start))});
    }

    Vector tensorMap(const std::vector<std::int32_t>& tensors, const TfliteGraph& graph)
    {
        std::vector<Table> maps;
        for (const std::int32_t index : tensors) {
            const auto name = m_out.CreateString(graph.tensors[std::size_t(index)].name);
            const auto start = m_out.StartTable();
            m_out.AddOffset(at(schema::tensor_map::name), name);
            m_out.AddElement<std::uint32_t>(at(schema::tensor_map::tensor), std::uint32_t(index),
                                            0);
            maps.emplace_back(m_out.EndTable(start));
        }
        return m_out.CreateVector(maps);
    }

    Vector signatureTables()
    {
        const TfliteGraph& graph = m_model.graphs.front();
        const auto inputs = tensorMap(graph.inputs, graph);
        const auto outputs = tensorMap(graph.outputs, graph);
        const auto key = m_out.CreateString("serving_default");
        const auto start = m_out.StartTable();
        m_out.AddOffset(at(schema::signature::inputs), inputs);
        m_out.AddOffset(at(schema::signature::outputs), outputs);
        m_out.AddOffset(at(schema::signature::key), key);
        return m_out.CreateVector(std::vector<Table>{Table(m_out.EndTable(start))});
    }

    Table subgraph(const TfliteGraph& graph)
    {
        std::vector<Table> tensors;
        for (const TfliteTensor& one : graph.tensors)
            tensors.push_back(tensor(one));
        std::vector<Table> operators;
        for (const TfliteOperator& one : graph.operators)
            operators.push_back(operation(one));
        const auto tensorList = m_out.CreateVector(tensors);
        const auto operatorList = m_out.CreateVector(operators);
        const auto inputs = m_out.CreateVector(graph.inputs);
        const auto outputs = m_out.CreateVector(graph.outputs);
        const auto name = m_out.CreateString(graph.name);
        const auto start = m_out.StartTable();
        m_out.AddOffset(at(schema::subgraph::tensors), tensorList);
        m_out.AddOffset(at(schema::subgraph::inputs), inputs);
        m_out.AddOffset(at(schema::subgraph::outputs), outputs);
        m_out.AddOffset(at(schema::subgraph::operators), operatorList);
        m_out.AddOffset(at(schema::subgraph::name), name);
        return Table(m_out.EndTable(start));
    }

    Table scalesTable(const TfliteScales& scales)
    {
        const auto values = m_out.CreateVector(scales.scales);
        const auto zeros = m_out.CreateVector(scales.zeros);
        const auto start = m_out.StartTable();
        m_out.AddOffset(at(schema::quantization::scale), values);
        m_out.AddOffset(at(schema::quantization::zeroPoint), zeros);
        m_out.AddElement<std::int32_t>(at(schema::quantization::axis), scales.axis, 0);
        return Table(m_out.EndTable(start));
    }

    Table tensor(const TfliteTensor& tensor)
    {
        const auto shape = m_out.CreateVector(tensor.shape);
        const auto name = m_out.CreateString(tensor.name);
        Table scales;
        if (!tensor.quantized.scales.empty())
            scales = scalesTable(tensor.quantized);
        Offset<flatbuffers::Vector<std::int32_t>> open;
        if (!tensor.openShape.empty())
            open = m_out.CreateVector(tensor.openShape);
        const auto start = m_out.StartTable();
        m_out.AddOffset(at(schema::tensor::shape), shape);
        m_out.AddElement<std::int8_t>(at(schema::tensor::type), tensor.type, 0);
        m_out.AddElement<std::uint32_t>(at(schema::tensor::buffer), bufferOf(tensor), 0);
        m_out.AddOffset(at(schema::tensor::name), name);
        if (!scales.IsNull())
            m_out.AddOffset(at(schema::tensor::quantization), scales);
        m_out.AddElement<std::uint8_t>(at(schema::tensor::isVariable), tensor.isVariable, 0);
        if (!open.IsNull())
            m_out.AddOffset(at(schema::tensor::openShape), open);
        return Table(m_out.EndTable(start));
    }

    std::uint32_t codeOf(const TfliteOperator& op)
    {
        const auto [place, isNew] =
            m_codes.try_emplace({op.code, op.customCode, op.version}, m_codes.size());
        return std::uint32_t(place->second);
    }

    Table optionsTable(const TfliteOperator& op)
    {
        Offset<flatbuffers::Vector<std::int32_t>> list;
        for (const TfliteOption& option : op.options)
            if (option.type == TfliteOption::Type::Ints)
                list = m_out.CreateVector(option.list);
        const auto start = m_out.StartTable();
        for (const TfliteOption& option : op.options)
            addOption(option, list);
        return Table(m_out.EndTable(start));
    }

    void addOption(const TfliteOption& option, Offset<flatbuffers::Vector<std::int32_t>> list)
    {
        const auto field = at(option.field);
        switch (option.type) {
        case TfliteOption::Type::Byte:
        case TfliteOption::Type::Bool:
            m_out.AddElement<std::int8_t>(field, std::int8_t(option.number),
                                          std::int8_t(option.standard));
            break;
        case TfliteOption::Type::Int:
            m_out.AddElement<std::int32_t>(field, std::int32_t(option.number),
                                           std::int32_t(option.standard));
            break;
        case TfliteOption::Type::Float: m_out.AddElement<float>(field, option.real, 0); break;
        case TfliteOption::Type::Ints: m_out.AddOffset(field, list); break;
        }
    }

    Table operation(const TfliteOperator& op)
    {
        const std::uint32_t code = codeOf(op);
        const auto inputs = m_out.CreateVector(op.inputs);
        const auto outputs = m_out.CreateVector(op.outputs);
        Table options;
        if (op.optionsType != 0)
            options = optionsTable(op);
        Offset<flatbuffers::Vector<std::uint8_t>> custom;
        if (!op.customOptions.empty() || !op.node.op.empty()) {
            const std::string bytes =
                op.node.op.empty() ? writeFlexMap(op.customOptions) : writeFlexNode(op.node);
            custom = m_out.CreateVector(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                        bytes.size());
        }
        const auto start = m_out.StartTable();
        m_out.AddElement<std::uint32_t>(at(schema::op::code), code, 0);
        m_out.AddOffset(at(schema::op::inputs), inputs);
        m_out.AddOffset(at(schema::op::outputs), outputs);
        const bool isLater = op.optionsType >= schema::firstLaterOptions;
        if (op.optionsType != 0) {
            m_out.AddElement<std::uint8_t>(
                at(isLater ? schema::op::laterOptionsType : schema::op::optionsType),
                std::uint8_t(op.optionsType - (isLater ? schema::firstLaterOptions : 0)), 0);
            m_out.AddOffset(at(isLater ? schema::op::laterOptions : schema::op::options), options);
        }
        if (!custom.IsNull())
            m_out.AddOffset(at(schema::op::customOptions), custom);
        return Table(m_out.EndTable(start));
    }

    const TfliteModel& m_model;
    flatbuffers::FlatBufferBuilder m_out;
    bool m_hasRuntime = false;
    std::vector<ConstantBytes> m_buffers;
    std::unordered_map<ConstantBytes, std::size_t, HashOfBytes> m_bufferOf;
    std::vector<std::pair<std::uint64_t, ConstantBytes>> m_gaps; // from the end of the file
    std::map<std::tuple<std::int32_t, std::string, std::int32_t>, std::size_t> m_codes;
};

std::uint64_t constantBytes(const TfliteModel& model)
{
    std::uint64_t bytes = 0;
    for (const TfliteGraph& graph : model.graphs)
        for (const TfliteTensor& tensor : graph.tensors)
            bytes += tensor.isConstant ? tensor.bytes.size() : 0;
    return bytes;
}

} // namespace

Result<EncodedModel> encodeTflite(const TfliteModel& model)
{
    const std::uint64_t constants = constantBytes(model);
    const std::uint64_t tables = std::uint64_t(1) << 20;
    if (constants + tables > largestFile)
        return Error{ErrorCode::Unsupported,
                     "the weights take " + std::to_string(constants) +
                         " bytes and a TFLite file holds 2 GiB; export with half-float weights"};
    return Encoder(model, std::size_t(constants + constants / 64 + tables)).encode();
}

} // namespace lapidary
