// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/wire.h"
#include "graph_model/graph/attr_lists.h"
#include "graph_model/read/foreign.h"
#include "graph_model/read/formats/formats.h"
#include "graph_model/read/operator_graph.h"
#include "graph_model/tflite/option_fields.h"
#include "graph_model/tflite/tflite_model.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <unordered_map>

namespace lapidary {
namespace {

using namespace std::string_view_literals;

constexpr std::array activations =
    std::to_array<std::string_view>({"NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT"});
constexpr std::array paddings = std::to_array<std::string_view>({"SAME", "VALID"});
constexpr std::array mirrorModes = std::to_array<std::string_view>({"REFLECT", "SYMMETRIC"});
constexpr std::array weightFormats =
    std::to_array<std::string_view>({"DEFAULT", "SHUFFLED4x16INT8"});

// Returns the names of the values of an option that is an enumeration.
std::span<const std::string_view> wordsOf(std::string_view option)
{
    if (option == "fused_activation_function")
        return activations;
    if (option == "padding")
        return paddings;
    if (option == "mode")
        return mirrorModes;
    return option == "weights_format" ? std::span<const std::string_view>(weightFormats)
                                      : std::span<const std::string_view>();
}

bool isType(std::string_view option)
{
    return option.ends_with("_type") || option.ends_with("_dtype");
}

OperandFacts factsOf(const TfliteTensor& tensor)
{
    // The limit matters because many operators may refer to one tensor.
    constexpr std::size_t longestName = 1000;
    OperandFacts facts{tensor.name.substr(0, longestName), dtypeOfTflite(tensor.type), {}};
    const auto& sizes =
        tensor.openShape.size() == tensor.shape.size() ? tensor.openShape : tensor.shape;
    for (const std::int32_t size : sizes)
        facts.shape.dims.push_back(std::max(size, -1));
    return facts;
}

// Only this sets these attributes, so that an operator with many outputs needs no search.
void setScales(NodeDraft& node, const TfliteScales& scales, const std::string& suffix)
{
    if (scales.scales.empty())
        return;
    node.attrs.emplace_back("_scale" + suffix, attr::fromFloats(scales.scales));
    node.attrs.emplace_back("_zero_point" + suffix, attr::fromInts(scales.zeros));
    if (scales.scales.size() > 1)
        node.attrs.emplace_back("_scale_axis" + suffix, attr::fromInt(scales.axis));
}

// A string tensor's buffer: a count, that many offsets and the end, then the characters.
std::optional<std::string> encodedStrings(const TfliteTensor& tensor, const Shape& shape)
{
    const auto at = [&](std::size_t place) {
        std::uint32_t number = 0;
        if (place + 4 <= tensor.bytes.size())
            std::memcpy(&number, tensor.bytes.view().data() + place, 4);
        return number;
    };
    const std::size_t count = at(0);
    if (tensor.bytes.size() / 4 < count + 2)
        return std::nullopt;
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(DType::String));
    writer.bytes(2, encodeShape(shape));
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t begin = at(4 + i * 4);
        const std::size_t end = at(8 + i * 4);
        if (begin > end || end > tensor.bytes.size())
            return std::nullopt;
        writer.bytes(8, tensor.bytes.view().substr(begin, end - begin));
    }
    return attr::fromTensorProto(proto);
}

// One subgraph as a graph: the first one of the file is the model, others are bodies of functions.
class SubgraphReader {
public:
    SubgraphReader(const TfliteModel& model, std::size_t index,
                   const std::vector<std::string>& functionNames, ConstantValues& values)
        : m_graph(model.graphs[index])
        , m_functionNames(functionNames)
        , m_values(values)
        , m_nodes(Dialect::Tflite)
        , m_refs(m_graph.tensors.size())
    {
    }

    Status read(bool isBody);
    OperatorGraph take() && { return std::move(m_nodes); }
    // Returns the input string of a tensor: "conv:0".
    const std::string& reference(std::int32_t tensor) const { return m_refs[std::size_t(tensor)]; }

private:
    const TfliteTensor& tensor(std::int32_t index) const
    {
        return m_graph.tensors[std::size_t(index)];
    }
    Status nameEverything();
    void addInputs(bool isBody);
    Status addOperator(const TfliteOperator& op, const std::string& name);
    Status provide(std::int32_t index, bool isMemory = false);
    void setOptions(NodeDraft& node, const TfliteOperator& op) const;

    const TfliteGraph& m_graph;
    const std::vector<std::string>& m_functionNames;
    ConstantValues& m_values;
    OperatorGraph m_nodes;
    std::vector<std::string> m_refs;    // by tensor; empty if nothing makes it
    std::vector<std::string> m_opNames; // by operator
};

std::string operatorName(const TfliteOperator& op)
{
    if (!op.customCode.empty())
        return op.customCode;
    const std::string_view name = tfliteOperatorName(op.code);
    return name.empty() ? "BUILTIN_" + std::to_string(op.code) : std::string(name);
}

Status SubgraphReader::nameEverything()
{
    for (const std::int32_t input : m_graph.inputs)
        if (m_refs[std::size_t(input)].empty())
            m_refs[std::size_t(input)] = m_nodes.freeName(tensor(input).name);
    for (const TfliteOperator& op : m_graph.operators) {
        m_opNames.push_back(
            m_nodes.freeName(op.outputs.empty() ? operatorName(op) : tensor(op.outputs[0]).name));
        for (std::size_t port = 0; port < op.outputs.size(); ++port) {
            std::string& reference = m_refs[std::size_t(op.outputs[port])];
            if (!reference.empty())
                return Error{ErrorCode::BadFile, "the tensor " + tensor(op.outputs[port]).name +
                                                     " is made twice, the second time by " +
                                                     operatorName(op) + " " +
                                                     std::to_string(m_opNames.size() - 1)};
            reference = outputText(m_opNames.back(), std::int32_t(port));
        }
    }
    return Done{};
}

void SubgraphReader::addInputs(bool isBody)
{
    std::set<std::int32_t> added;
    for (std::size_t i = 0; i < m_graph.inputs.size(); ++i) {
        const std::int32_t input = m_graph.inputs[i];
        const bool isFirst = added.insert(input).second;
        if (!isFirst && !isBody)
            continue;
        const std::string name =
            isFirst ? m_refs[std::size_t(input)] : m_nodes.freeName(tensor(input).name);
        const OperandFacts facts = factsOf(tensor(input));
        NodeDraft node = draftNamed(name);
        setScales(node, tensor(input).quantized, "");
        if (isBody)
            m_nodes.addArgument(std::move(node), facts, i);
        else
            m_nodes.addInput(std::move(node), facts);
    }
}

// Makes the node of a tensor that no operator makes: a constant, a variable, or working memory of a
// custom operator.
Status SubgraphReader::provide(std::int32_t index, bool isMemory)
{
    std::string& reference = m_refs[std::size_t(index)];
    const TfliteTensor& read = tensor(index);
    if (!reference.empty())
        return Done{};
    reference = m_nodes.freeName(read.name);
    // A constant without elements needs no bytes.
    const bool isConstant = read.isConstant || std::ranges::find(read.shape, 0) != read.shape.end();
    if (!isConstant && !read.isVariable && !isMemory)
        return Done{}; // dangling, as the check of the graph reports
    const OperandFacts facts = factsOf(read);
    NodeDraft node;
    node.name = reference;
    setScales(node, read.quantized, "");
    if (!isConstant) {
        node.op = "VARIABLE";
        m_nodes.addOperator(std::move(node), std::span(&facts, 1));
        return Done{};
    }
    std::optional<std::size_t> value;
    if (facts.dtype == DType::String) {
        if (auto strings = encodedStrings(read, facts.shape))
            value = m_values.add(*std::move(strings));
    } else if (dtypeSize(facts.dtype) > 0 && !read.isSparse) {
        auto added = m_values.add(facts.dtype, facts.shape, read.bytes.view());
        if (!added)
            return added.error().within("the constant " + read.name);
        value = *added;
    }
    m_nodes.addConstant(std::move(node), facts, value);
    return Done{};
}

struct CustomOption {
    AttrBytes operator()(bool value) const { return attr::fromBool(value); }
    AttrBytes operator()(std::int64_t value) const { return attr::fromInt(value); }
    AttrBytes operator()(double value) const { return attr::fromFloat(float(value)); }
    AttrBytes operator()(const std::string& value) const { return attr::fromString(value); }
};

// Copies the attributes of a TensorFlow op from its NodeDef in the file.
void setTensorFlowAttrs(NodeDraft& node, const FlexNode& stored)
{
    node.setAttr("_tensorflow_op", attr::fromString(stored.op));
    const BufferPtr bytes = makeBuffer(stored.nodeDef);
    NodeBlockBuilder builder(bytes);
    builder.add(bytes->bytes());
    for (const NodePtr& read : std::move(builder).finish())
        for (const Attr& attr : read->attrs())
            if (!attr.name.empty() && !attr.name.starts_with('_'))
                node.setAttr(attr.name, std::string(attr.value.encoded()));
}

void SubgraphReader::setOptions(NodeDraft& node, const TfliteOperator& op) const
{
    const auto fields = optionFields(op.optionsType);
    for (std::size_t i = 0; i < op.options.size() && i < fields.size(); ++i) {
        const TfliteOption& option = op.options[i];
        const std::string name(fields[i].name);
        const auto words = wordsOf(name);
        const auto number = std::size_t(option.number);
        const bool isSubgraph = name.ends_with("subgraph_index") || name == "subgraph";
        if (isSubgraph && number < m_functionNames.size())
            node.setAttr(name, attr::fromFunctionName(m_functionNames[number]));
        else if (number < words.size())
            node.setAttr(name, attr::fromString(words[number]));
        else if (isType(name) && option.type == TfliteOption::Type::Byte)
            node.setAttr(name, attr::fromType(dtypeOfTflite(std::int8_t(option.number))));
        else if (option.type == TfliteOption::Type::Bool)
            node.setAttr(name, attr::fromBool(option.number != 0));
        else if (option.type == TfliteOption::Type::Float)
            node.setAttr(name, attr::fromFloat(option.real));
        else if (option.type == TfliteOption::Type::Ints)
            node.setAttr(name, attr::fromInts({option.list.begin(), option.list.end()}));
        else
            node.setAttr(name, attr::fromInt(option.number));
    }
    for (const auto& [name, value] : op.customOptions)
        if (!name.empty() && !name.starts_with('_'))
            node.setAttr(name, std::visit(CustomOption(), value));
    if (!op.node.op.empty())
        setTensorFlowAttrs(node, op.node);
    if (op.version > 1)
        node.setAttr("_version", attr::fromInt(op.version));
}

Status SubgraphReader::addOperator(const TfliteOperator& op, const std::string& name)
{
    NodeDraft node;
    node.name = name;
    node.op = operatorName(op);
    std::vector<std::int64_t> leftOut;
    for (std::size_t slot = 0; slot < op.inputs.size(); ++slot) {
        if (op.inputs[slot] < 0) {
            leftOut.push_back(std::int64_t(slot));
            continue;
        }
        RETURN_IF_ERROR(provide(op.inputs[slot], !op.customCode.empty()));
        node.inputs.push_back(reference(op.inputs[slot]));
    }
    setOptions(node, op);
    if (!leftOut.empty())
        node.setAttr("_left_out", attr::fromInts(leftOut));
    std::vector<OperandFacts> outputs;
    for (std::size_t port = 0; port < op.outputs.size(); ++port) {
        const TfliteTensor& made = tensor(op.outputs[port]);
        outputs.push_back(factsOf(made));
        setScales(node, made.quantized, port == 0 ? "" : "_" + std::to_string(port));
    }
    m_nodes.addOperator(std::move(node), outputs);
    return Done{};
}

Status SubgraphReader::read(bool isBody)
{
    RETURN_IF_ERROR(nameEverything());
    addInputs(isBody);
    for (std::size_t i = 0; i < m_graph.operators.size(); ++i)
        RETURN_IF_ERROR(addOperator(m_graph.operators[i], m_opNames[i]));
    for (std::size_t i = 0; i < m_graph.outputs.size(); ++i) {
        RETURN_IF_ERROR(provide(m_graph.outputs[i]));
        if (isBody)
            m_nodes.addResult(factsOf(tensor(m_graph.outputs[i])), i,
                              reference(m_graph.outputs[i]));
    }
    return Done{};
}

std::string withPort(const std::string& reference)
{
    return reference.find(':') == reference.npos ? reference + ":0" : reference;
}

// Returns the names in the order in which the graph lists them, because runtimes number them by it.
TfliteSignature::Names inFileOrder(TfliteSignature::Names names,
                                   const std::vector<std::int32_t>& listed)
{
    std::unordered_map<std::int32_t, std::size_t> order;
    for (const std::int32_t tensor : listed)
        order.emplace(tensor, order.size());
    std::ranges::stable_sort(names, {}, [&](const auto& name) {
        const auto found = order.find(name.second);
        return found == order.end() ? order.size() : found->second;
    });
    return names;
}

class TfliteFileReader {
public:
    explicit TfliteFileReader(ModelFile& file)
        : m_file(file)
    {
        m_values.addFile(file.path, file.buffer);
    }
    Status read(const Job& job);

private:
    void nameFunctions();
    Status readGraphs(const Job& job);
    void addEntry(std::size_t graph, SubgraphReader& reader, GraphPtr made);
    std::vector<SignatureTensor> ends(const SubgraphReader& reader,
                                      const TfliteSignature::Names& names,
                                      const TfliteGraph& graph) const;

    ModelFile& m_file;
    TfliteModel m_model;
    std::vector<std::string> m_functionNames; // by graph
    ConstantValues m_values;
};

void TfliteFileReader::nameFunctions()
{
    OperatorGraph names(Dialect::Tflite);
    for (std::size_t i = 0; i < m_model.graphs.size(); ++i) {
        const std::string& name = m_model.graphs[i].name;
        m_functionNames.push_back(
            names.freeName(name.empty() ? "subgraph_" + std::to_string(i) : name));
    }
}

std::vector<SignatureTensor> TfliteFileReader::ends(const SubgraphReader& reader,
                                                    const TfliteSignature::Names& names,
                                                    const TfliteGraph& graph) const
{
    std::vector<SignatureTensor> found;
    for (const auto& [name, index] : names) {
        const OperandFacts facts = factsOf(graph.tensors[std::size_t(index)]);
        if (!reader.reference(index).empty())
            found.push_back({name, withPort(reader.reference(index)), facts.dtype, facts.shape});
    }
    return found;
}

void TfliteFileReader::addEntry(std::size_t index, SubgraphReader& reader, GraphPtr made)
{
    const TfliteGraph& graph = m_model.graphs[index];
    GraphEntry entry;
    entry.graph = std::move(made);
    if (index > 0)
        entry.title = m_functionNames[index];
    for (const TfliteSignature& signature : m_model.signatures)
        if (signature.graph == index)
            entry.signatures.push_back(
                {signature.key,
                 {},
                 ends(reader, inFileOrder(signature.inputs, graph.inputs), graph),
                 ends(reader, inFileOrder(signature.outputs, graph.outputs), graph)});
    if (entry.signatures.empty()) {
        TfliteSignature own;
        for (const std::int32_t input : graph.inputs)
            own.inputs.emplace_back(graph.tensors[std::size_t(input)].name, input);
        for (const std::int32_t output : graph.outputs)
            own.outputs.emplace_back(graph.tensors[std::size_t(output)].name, output);
        entry.signatures.push_back(
            {"main", {}, ends(reader, own.inputs, graph), ends(reader, own.outputs, graph)});
    }
    m_file.graphs.push_back(std::move(entry));
}

Status TfliteFileReader::readGraphs(const Job& job)
{
    const auto hasSignature = [&](std::size_t i) {
        return std::ranges::any_of(m_model.signatures,
                                   [&](const TfliteSignature& one) { return one.graph == i; });
    };
    std::vector<std::pair<std::size_t, SubgraphReader>> mains;
    std::vector<std::pair<std::size_t, SubgraphReader>> bodies;
    for (std::size_t i = 0; i < m_model.graphs.size(); ++i) {
        if (job.cancelled())
            return cancelledError();
        const std::string where = "graph " + std::to_string(i);
        if (i == 0 || hasSignature(i)) {
            mains.emplace_back(i, SubgraphReader(m_model, i, m_functionNames, m_values));
            if (const Status done = mains.back().second.read(false); !done)
                return done.error().within(where);
        }
        if (i > 0) {
            bodies.emplace_back(i, SubgraphReader(m_model, i, m_functionNames, m_values));
            if (const Status done = bodies.back().second.read(true); !done)
                return done.error().within(where);
        }
    }
    m_values.map();
    std::vector<OperatorFunction> functions;
    for (auto& [i, reader] : bodies) {
        const TfliteGraph& graph = m_model.graphs[i];
        OperatorFunction function{.name = m_functionNames[i]};
        for (const std::int32_t input : graph.inputs)
            function.arguments.push_back(factsOf(graph.tensors[std::size_t(input)]));
        for (const std::int32_t output : graph.outputs)
            function.results.push_back(factsOf(graph.tensors[std::size_t(output)]));
        function.body = std::move(reader).take().finish(m_values);
        functions.push_back(std::move(function));
    }
    const auto library = functionLibrary(std::move(functions));
    for (auto& [i, reader] : mains)
        addEntry(i, reader, std::move(reader).take().finish(m_values, library));
    return Done{};
}

Status TfliteFileReader::read(const Job& job)
{
    auto decoded = decodeTflite(m_file.buffer);
    if (!decoded)
        return decoded.error();
    m_model = *std::move(decoded);
    nameFunctions();
    const Status done = readGraphs(job);
    if (!done && done.error().code == ErrorCode::BadFile)
        return Error{ErrorCode::BadFile, "is a damaged TFLite file: " + done.error().message};
    return done;
}

// Reads the graphs of a .tflite file from its buffer: operators by their names in the schema,
// options as attributes, further subgraphs as functions. A damaged file gets a problem and no
// graph.
Status readTfliteFile(ModelFile& file, const Job& job)
{
    const Status done = TfliteFileReader(file).read(job);
    if (done || done.error().code != ErrorCode::BadFile)
        return done;
    Problem problem;
    problem.kind = "damaged_file";
    problem.message = file.path.string() + " " + done.error().message;
    file.problems.push_back(std::move(problem));
    return Done{};
}

} // namespace

const FileFormatRow formats::tflite{
    .format = FileFormat::Tflite,
    .name = "tflite",
    .title = "TFLite model",
    .holdsGraphs = true,
    .read = readTfliteFile,
    .hasMarks = isTflite,
    .patterns = "*.tflite",
};

} // namespace lapidary
