// SPDX-License-Identifier: Apache-2.0
// Reads the file and checks its consistency: indices must be within their lists, and sizes must fit
// their bytes. Unknown tables are ignored.
#include "graph_model/tflite/flat_table.h"
#include "graph_model/tflite/option_fields.h"
#include "graph_model/tflite/sparse_values.h"
#include "graph_model/tflite/tflite_model.h"
#include "graph_model/tflite/tflite_schema.h"

#include <algorithm>
#include <cstdint>

namespace lapidary {
namespace {

namespace schema = tflite_schema;

Error damaged(std::string what)
{
    return {ErrorCode::BadFile, "is a damaged TFLite file: " + std::move(what)};
}

struct Code {
    std::int32_t builtin = 0;
    std::string custom;
    std::int32_t version = 1;
};

class Decoder {
public:
    explicit Decoder(const BufferPtr& bytes)
        : m_bytes(bytes)
        , m_file(bytes->bytes())
    {
    }

    Result<TfliteModel> decode()
    {
        const FlatTable root = m_file.root(schema::identifier);
        TfliteModel model;
        model.description = root.text(schema::model::description);
        for (const FlatTable& code : root.tables(schema::model::operatorCodes))
            m_codes.push_back(codeOf(code));
        for (const FlatTable& buffer : root.tables(schema::model::buffers))
            m_buffers.push_back(bufferBytes(buffer));
        for (const FlatTable& graph : root.tables(schema::model::subgraphs)) {
            auto read = graphOf(graph);
            if (!m_file.fault().empty())
                break;
            if (!read)
                return read.error();
            model.graphs.push_back(*std::move(read));
        }
        if (!m_file.fault().empty())
            return damaged(m_file.fault());
        if (model.graphs.empty())
            return damaged("it holds no graph");
        for (const FlatTable& signature : root.tables(schema::model::signatures)) {
            ASSIGN_OR_RETURN(TfliteSignature read, signatureOf(signature, model.graphs));
            model.signatures.push_back(std::move(read));
        }
        return m_file.fault().empty() ? Result<TfliteModel>(std::move(model))
                                      : damaged(m_file.fault());
    }

private:
    // Returns the bytes of a buffer. Files above 2 GiB have them after the tables.
    std::string_view bufferBytes(const FlatTable& table)
    {
        const auto offset = table.number<std::uint64_t>(schema::buffer::offset, 0);
        if (offset <= 1)
            return table.bytes(schema::buffer::data);
        return m_file.part(offset, table.number<std::uint64_t>(schema::buffer::size, 0));
    }

    Result<TfliteSignature> signatureOf(const FlatTable& table,
                                        const std::vector<TfliteGraph>& graphs)
    {
        TfliteSignature signature;
        signature.key = table.text(schema::signature::key);
        signature.graph = table.number<std::uint32_t>(schema::signature::subgraph, 0);
        if (signature.graph >= graphs.size())
            return damaged("the signature " + signature.key + " is for graph " +
                           std::to_string(signature.graph) + " of " +
                           std::to_string(graphs.size()));
        const TfliteGraph& graph = graphs[signature.graph];
        ASSIGN_OR_RETURN(signature.inputs, namesIn(table.tables(schema::signature::inputs), graph,
                                                   "an input of " + signature.key));
        ASSIGN_OR_RETURN(signature.outputs, namesIn(table.tables(schema::signature::outputs), graph,
                                                    "an output of " + signature.key));
        return signature;
    }

    static Result<TfliteSignature::Names> namesIn(const std::vector<FlatTable>& maps,
                                                  const TfliteGraph& graph, const std::string& what)
    {
        TfliteSignature::Names names;
        std::vector<std::int32_t> tensors;
        for (const FlatTable& map : maps) {
            // Numbers that exceed the range of indices are no indices.
            const auto tensor = map.number<std::uint32_t>(schema::tensor_map::tensor, 0);
            tensors.push_back(tensor > std::uint32_t(INT32_MAX) ? -1 : std::int32_t(tensor));
            names.emplace_back(map.text(schema::tensor_map::name), tensors.back());
        }
        RETURN_IF_ERROR(checkIndices(graph, tensors, what, false));
        return names;
    }

    // Old runtimes wrote only the first field, new ones write both.
    static Code codeOf(const FlatTable& table)
    {
        const auto old =
            std::uint8_t(table.number<std::int8_t>(schema::operator_code::oldBuiltin, 0));
        const auto now = table.number<std::int32_t>(schema::operator_code::builtin, 0);
        return {.builtin = std::max(std::int32_t(old), now),
                .custom = table.text(schema::operator_code::custom),
                .version = table.number<std::int32_t>(schema::operator_code::version, 1)};
    }

    Result<TfliteGraph> graphOf(const FlatTable& table)
    {
        TfliteGraph graph;
        graph.name = table.text(schema::subgraph::name);
        for (const FlatTable& one : table.tables(schema::subgraph::tensors)) {
            ASSIGN_OR_RETURN(TfliteTensor tensor, tensorOf(one));
            graph.tensors.push_back(std::move(tensor));
        }
        graph.inputs = table.numbers<std::int32_t>(schema::subgraph::inputs);
        graph.outputs = table.numbers<std::int32_t>(schema::subgraph::outputs);
        RETURN_IF_ERROR(checkIndices(graph, graph.inputs, "an input of the graph", false));
        RETURN_IF_ERROR(checkIndices(graph, graph.outputs, "an output of the graph", false));
        takeNames(table, graph, graph.inputs);
        takeNames(table, graph, graph.outputs);
        for (const FlatTable& one : table.tables(schema::subgraph::operators)) {
            ASSIGN_OR_RETURN(TfliteOperator op, operatorOf(one));
            const std::string name = "operator " + std::to_string(graph.operators.size());
            RETURN_IF_ERROR(checkIndices(graph, op.inputs, "an input of " + name, true));
            RETURN_IF_ERROR(checkIndices(graph, op.outputs, "an output of " + name, false));
            takeNames(one, graph, op.inputs);
            graph.operators.push_back(std::move(op));
        }
        return graph;
    }

    static Status checkIndices(const TfliteGraph& graph, const std::vector<std::int32_t>& indices,
                               const std::string& what, bool mayBeAbsent)
    {
        const auto size = std::int32_t(graph.tensors.size());
        for (const std::int32_t index : indices)
            if (index >= size || index < (mayBeAbsent ? -1 : 0))
                return damaged(what + " is tensor " + std::to_string(index) + " of " +
                               std::to_string(size));
        return Done{};
    }

    // Counts the names that are copied for indices: an index of four bytes becomes a name, which
    // may be as long as the file.
    static void takeNames(const FlatTable& table, const TfliteGraph& graph,
                          const std::vector<std::int32_t>& indices)
    {
        for (const std::int32_t index : indices)
            if (index >= 0)
                table.take(graph.tensors[std::size_t(index)].name.size());
    }

    Result<TfliteTensor> tensorOf(const FlatTable& table)
    {
        TfliteTensor tensor;
        tensor.name = table.text(schema::tensor::name);
        tensor.type = table.number<std::int8_t>(schema::tensor::type, 0);
        tensor.shape = table.numbers<std::int32_t>(schema::tensor::shape);
        tensor.isVariable = table.number<std::int8_t>(schema::tensor::isVariable, 0) != 0;
        tensor.isSparse = table.table(schema::tensor::sparsity).isPresent();
        tensor.openShape = table.numbers<std::int32_t>(schema::tensor::openShape);
        const FlatTable scales = table.table(schema::tensor::quantization);
        tensor.quantized.scales = scales.numbers<float>(schema::quantization::scale);
        tensor.quantized.zeros = scales.numbers<std::int64_t>(schema::quantization::zeroPoint);
        tensor.quantized.axis = scales.number<std::int32_t>(schema::quantization::axis, 0);
        const auto buffer = table.number<std::uint32_t>(schema::tensor::buffer, 0);
        if (buffer >= m_buffers.size() && !(buffer == 0 && m_buffers.empty()))
            return damaged("the tensor " + tensor.name + " refers to buffer " +
                           std::to_string(buffer) + " of " + std::to_string(m_buffers.size()));
        if (buffer < m_buffers.size() && !m_buffers[buffer].empty()) {
            tensor.isConstant = true;
            tensor.bytes = ConstantBytes(m_buffers[buffer], m_bytes);
            if (dtypeOfTflite(tensor.type) == DType::String) // copied string by string
                table.take(tensor.bytes.size());
        }
        RETURN_IF_ERROR(checkSize(tensor));
        if (tensor.isSparse && tensor.isConstant)
            takeSparse(table.table(schema::tensor::sparsity), tensor);
        return tensor;
    }

    // Restores the zeros that a sparse constant omits. It has no values if its parts do not fit
    // together, or if the zeros would need too much memory.
    void takeSparse(const FlatTable& table, TfliteTensor& tensor)
    {
        SparseLayout layout;
        for (const std::int32_t axis : table.numbers<std::int32_t>(schema::sparsity::order))
            layout.order.push_back(axis);
        for (const std::int32_t axis : table.numbers<std::int32_t>(schema::sparsity::blocks))
            layout.blocks.push_back(axis);
        for (const FlatTable& axis : table.tables(schema::sparsity::axes))
            layout.axes.push_back(
                {axis.number<std::int8_t>(schema::sparse_axis::format, 0) != 0,
                 axis.number<std::int32_t>(schema::sparse_axis::size, 0),
                 listOf(axis, schema::sparse_axis::segmentsType, schema::sparse_axis::segments),
                 listOf(axis, schema::sparse_axis::placesType, schema::sparse_axis::places)});
        const std::size_t size = dtypeSize(dtypeOfTflite(tensor.type));
        constexpr std::uint64_t mostZeros = 256; // for each stored byte
        const std::uint64_t limit =
            std::min(m_sparseLeft, mostZeros * (std::uint64_t(tensor.bytes.size()) + 256));
        std::uint64_t needed = size;
        for (const std::int32_t dim : tensor.shape)
            needed *= std::uint64_t(dim); // checkSize() has ensured that it fits
        if (needed > limit)
            return;
        m_sparseLeft -= needed; // even if the parts turn out not to fit together
        auto dense = denseValues(layout, tensor.shape, size, tensor.bytes.view(), limit);
        if (!dense)
            return;
        tensor.bytes = ConstantBytes(*std::move(dense));
        tensor.isSparse = false;
    }

    // Returns a list of numbers that are stored with 32, 16 or 8 bits.
    static std::vector<std::int64_t> listOf(const FlatTable& axis, std::uint16_t type,
                                            std::uint16_t list)
    {
        const FlatTable table = axis.table(list);
        const auto widened = [](const auto& values) {
            return std::vector<std::int64_t>(values.begin(), values.end());
        };
        switch (axis.number<std::uint8_t>(type, 0)) {
        case 1: return widened(table.numbers<std::int32_t>(schema::sparse_list::values));
        case 2: return widened(table.numbers<std::uint16_t>(schema::sparse_list::values));
        case 3: return widened(table.numbers<std::uint8_t>(schema::sparse_list::values));
        default: return {};
        }
    }

    static Status checkSize(const TfliteTensor& tensor)
    {
        constexpr std::size_t mostAxes = 64;
        if (tensor.shape.size() > mostAxes || tensor.openShape.size() > mostAxes)
            return damaged("the tensor has " + std::to_string(tensor.shape.size()) + " axes");
        std::uint64_t elements = 1;
        for (const std::int32_t dim : tensor.shape) {
            if (dim < 0 || (dim > 0 && elements > (std::uint64_t(1) << 40) / std::uint64_t(dim)))
                return damaged("the tensor " + tensor.name + " has impossible sizes");
            elements *= std::uint64_t(dim);
        }
        const std::size_t size = dtypeSize(dtypeOfTflite(tensor.type));
        if (tensor.isConstant && !tensor.isSparse && size > 0 &&
            tensor.bytes.size() != elements * size)
            return damaged("the constant " + tensor.name + " has " +
                           std::to_string(tensor.bytes.size()) + " bytes where its sizes need " +
                           std::to_string(elements * size));
        return Done{};
    }

    Result<TfliteOperator> operatorOf(const FlatTable& table)
    {
        TfliteOperator op;
        const auto code = table.number<std::uint32_t>(schema::op::code, 0);
        if (code >= m_codes.size() && m_file.fault().empty())
            return damaged("an operator refers to code " + std::to_string(code) + " of " +
                           std::to_string(m_codes.size()));
        if (code < m_codes.size()) {
            op.code = m_codes[code].builtin;
            op.customCode = m_codes[code].custom;
            table.take(op.customCode.size());
            op.version = m_codes[code].version;
        }
        op.inputs = table.numbers<std::int32_t>(schema::op::inputs);
        op.outputs = table.numbers<std::int32_t>(schema::op::outputs);
        if (!op.customCode.empty()) {
            const std::string bytes = table.text(schema::op::customOptions);
            op.customOptions = readFlexMap(bytes);
            op.node = readFlexNode(bytes);
            if (op.customOptions.empty())
                op.customOptions = plainOptions(op.customCode, bytes);
        }
        op.optionsType = table.number<std::uint8_t>(schema::op::optionsType, 0);
        FlatTable options = table.table(schema::op::options);
        const auto later = table.number<std::uint8_t>(schema::op::laterOptionsType, 0);
        if (later > 0 && later < schema::firstLaterOptions) {
            op.optionsType = std::uint8_t(schema::firstLaterOptions + later);
            options = table.table(schema::op::laterOptions);
        }
        if (op.optionsType == schema::compositeOptions) {
            op.customOptions = readFlexMap(options.text(schema::composite_options::attributes));
            op.customOptions.emplace_back("name", options.text(schema::composite_options::name));
        }
        for (const OptionField& field : optionFields(op.optionsType))
            op.options.push_back(optionOf(options, field));
        return op;
    }

    static TfliteOption optionOf(const FlatTable& table, const OptionField& field)
    {
        TfliteOption option{.field = field.field, .type = field.type, .standard = field.standard};
        switch (field.type) {
        case TfliteOption::Type::Byte:
        case TfliteOption::Type::Bool:
            option.number = table.number<std::int8_t>(field.field, std::int8_t(field.standard));
            break;
        case TfliteOption::Type::Int:
            option.number = table.number<std::int32_t>(field.field, std::int32_t(field.standard));
            break;
        case TfliteOption::Type::Float: option.real = table.number<float>(field.field, 0); break;
        case TfliteOption::Type::Ints:
            option.list = table.numbers<std::int32_t>(field.field);
            break;
        }
        return option;
    }

    BufferPtr m_bytes;
    FlatFile m_file;
    std::vector<Code> m_codes;
    std::vector<std::string_view> m_buffers;
    std::uint64_t m_sparseLeft = std::uint64_t(1)
                                 << 28; // bytes of sparse constants including zeros
};

} // namespace

Result<TfliteModel> decodeTflite(const BufferPtr& bytes)
{
    return Decoder(bytes).decode();
}

} // namespace lapidary
