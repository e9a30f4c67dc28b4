// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/wire.h"
#include "graph_model/graph/attr_lists.h"
#include "graph_model/onnx/onnx_model.h"
#include "graph_model/read/external_weights.h"
#include "graph_model/read/foreign.h"
#include "graph_model/read/formats/formats.h"
#include "graph_model/read/operator_graph.h"

#include <algorithm>
#include <map>
#include <set>

namespace lapidary {
namespace {

std::string operatorName(const std::string& domain, const std::string& name)
{
    return domain.empty() ? name : domain + "." + name;
}

OperandFacts factsOf(const OnnxValue& value)
{
    OperandFacts facts{value.name, value.dtype};
    if (value.hasShape)
        facts.shape = {value.dims, false};
    return facts;
}

OperandFacts factsOf(const OnnxTensor& tensor)
{
    return {tensor.name, tensor.dtype, {tensor.dims, false}};
}

// The names that a graph reads and does not define, in the order of their first use.
class CapturedNames {
public:
    const std::vector<std::string>& of(const OnnxGraph& graph)
    {
        const auto [at, isNew] = m_known.try_emplace(&graph);
        if (isNew)
            at->second = find(graph);
        return at->second;
    }

private:
    std::vector<std::string> find(const OnnxGraph& graph)
    {
        std::set<std::string_view> seen{""};
        for (const OnnxValue& input : graph.inputs)
            seen.insert(input.name);
        for (const OnnxTensor& tensor : graph.initializers)
            seen.insert(tensor.name);
        for (const OnnxNode& node : graph.nodes)
            seen.insert(node.outputs.begin(), node.outputs.end());
        std::vector<std::string> captured;
        const auto read = [&](const std::string& name) {
            if (seen.insert(name).second)
                captured.push_back(name);
        };
        for (const OnnxNode& node : graph.nodes) {
            std::ranges::for_each(node.inputs, read);
            for (const OnnxAttribute& attribute : node.attributes)
                if (attribute.graph != nullptr)
                    std::ranges::for_each(of(*attribute.graph), read);
        }
        for (const OnnxValue& output : graph.outputs)
            read(output.name);
        return captured;
    }

    std::map<const OnnxGraph*, std::vector<std::string>> m_known;
};

constexpr std::uint64_t alwaysCaptured = std::uint64_t(1) << 20;

// State shared by the graphs of one file.
struct OnnxShared {
    OnnxShared(const ModelFile& file, std::int64_t ofOperators)
        : opset(ofOperators)
        , external(file.path)
        , capturedLeft(alwaysCaptured + file.buffer->bytes().size() * 8)
    {
        values.addFile(file.path, file.buffer);
    }

    std::int64_t opset;
    ConstantValues values;
    ExternalWeights external;
    CapturedNames captured;
    // Limit of the bytes of arguments for bodies. Each body of a node gets the captured names of
    // all of them, so that a few nodes could multiply the names of the file.
    std::uint64_t capturedLeft;
    OperatorGraph functionNames{Dialect::Onnx};
    std::vector<std::pair<OperatorFunction, OperatorGraph>> functions;
};

class OnnxGraphReader {
public:
    OnnxGraphReader(const OnnxGraph& graph, OnnxShared& shared)
        : m_graph(graph)
        , m_shared(shared)
        , m_nodes(Dialect::Onnx)
    {
    }

    Status readModel();
    // Adds a function with this name.
    Status readBody(std::string name, std::vector<OperandFacts> captured);
    OperatorGraph take() && { return std::move(m_nodes); }
    std::string reference(const std::string& tensor);
    OperandFacts factsNamed(const std::string& tensor) const;
    std::vector<OnnxValue> inputs() const;

private:
    Status nameEverything();
    Status addNodes();
    Status addNode(const OnnxNode& node, const std::string& name);
    Status addBodies(const OnnxNode& node, NodeDraft& draft);
    Status takeCaptured(const OnnxNode& node, const std::vector<std::string>& names);
    Status setAttribute(NodeDraft& draft, const OnnxAttribute& attribute);
    // Adds the node of an initializer, once.
    Status provide(const std::string& tensor);
    Result<std::optional<std::size_t>> valueOf(const OnnxTensor& tensor);

    const OnnxGraph& m_graph;
    OnnxShared& m_shared;
    OperatorGraph m_nodes;
    std::map<std::string, std::string, std::less<>> m_refs;
    std::map<std::string, OperandFacts, std::less<>> m_facts;
    std::map<std::string_view, const OnnxTensor*> m_initializers; // those without a node so far
    std::vector<std::string> m_nodeNames;
};

// Old files list initializers among the inputs.
std::vector<OnnxValue> OnnxGraphReader::inputs() const
{
    std::set<std::string_view> stored;
    for (const OnnxTensor& tensor : m_graph.initializers)
        stored.insert(tensor.name);
    std::vector<OnnxValue> inputs;
    for (const OnnxValue& input : m_graph.inputs)
        if (!stored.contains(input.name))
            inputs.push_back(input);
    return inputs;
}

OperandFacts OnnxGraphReader::factsNamed(const std::string& tensor) const
{
    const auto found = m_facts.find(tensor);
    return found == m_facts.end() ? OperandFacts{tensor} : found->second;
}

std::string OnnxGraphReader::reference(const std::string& tensor)
{
    const auto [at, isNew] = m_refs.try_emplace(tensor);
    if (isNew) // dangling, as the check of the graph reports
        at->second = m_nodes.freeName(tensor);
    return at->second;
}

Status OnnxGraphReader::nameEverything()
{
    for (const auto* values : {&m_graph.values, &m_graph.inputs, &m_graph.outputs})
        for (const OnnxValue& value : *values)
            m_facts.try_emplace(value.name, factsOf(value));
    for (const OnnxTensor& tensor : m_graph.initializers) {
        m_facts.insert_or_assign(tensor.name, factsOf(tensor));
        m_initializers.try_emplace(tensor.name, &tensor);
    }
    for (const OnnxNode& node : m_graph.nodes) {
        const auto output =
            std::ranges::find_if(node.outputs, [](const auto& name) { return !name.empty(); });
        m_nodeNames.push_back(m_nodes.freeName(!node.name.empty()             ? node.name
                                               : output != node.outputs.end() ? *output
                                                                              : node.op));
        for (std::size_t port = 0; port < node.outputs.size(); ++port) {
            if (node.outputs[port].empty())
                continue;
            const std::string place = outputText(m_nodeNames.back(), std::int32_t(port));
            const bool isNew = m_refs.try_emplace(node.outputs[port], place).second;
            if (!isNew || m_initializers.contains(node.outputs[port]))
                return Error{ErrorCode::BadFile, "the tensor " + node.outputs[port] +
                                                     " is made twice, the second time by node " +
                                                     std::to_string(m_nodeNames.size() - 1) + " (" +
                                                     node.op + ")"};
        }
    }
    return Done{};
}

Result<std::optional<std::size_t>> OnnxGraphReader::valueOf(const OnnxTensor& tensor)
{
    const Shape shape{tensor.dims, false};
    const std::size_t size = dtypeSize(tensor.dtype);
    if (tensor.dtype == DType::String) {
        std::string proto;
        WireWriter writer(proto);
        writer.varint(1, std::uint64_t(DType::String));
        writer.bytes(2, encodeShape(shape));
        for (const std::string_view text : tensor.texts)
            writer.bytes(8, text);
        return std::optional(m_shared.values.add(attr::fromTensorProto(proto)));
    }
    if (size == 0)
        return std::optional<std::size_t>();
    std::string_view bytes = tensor.bytes.view();
    if (!tensor.externalFile.empty()) {
        const auto needed = std::uint64_t(elementCount(shape).value_or(0)) * size;
        const auto found = m_shared.external.bytesOf(tensor, needed, m_shared.values);
        if (!found)
            return std::optional<std::size_t>();
        bytes = *found;
    }
    ASSIGN_OR_RETURN(const std::size_t added, m_shared.values.add(tensor.dtype, shape, bytes));
    return std::optional(added);
}

Status OnnxGraphReader::provide(const std::string& name)
{
    const auto found = m_initializers.find(name);
    if (found == m_initializers.end())
        return Done{};
    const OnnxTensor& tensor = *found->second;
    m_initializers.erase(found);
    ASSIGN_OR_RETURN(const auto value, valueOf(tensor));
    NodeDraft node;
    node.name = reference(name);
    m_nodes.addConstant(std::move(node), factsOf(tensor), value);
    return Done{};
}

Status OnnxGraphReader::setAttribute(NodeDraft& draft, const OnnxAttribute& attribute)
{
    using Type = OnnxAttribute::Type;
    const auto set = [&](std::string value) { draft.setAttr(attribute.name, std::move(value)); };
    switch (attribute.type) {
    case Type::Float: set(attr::fromFloat(attribute.real)); break;
    case Type::Int: set(attr::fromInt(attribute.number)); break;
    case Type::String: set(attr::fromString(attribute.text)); break;
    case Type::Floats: set(attr::fromFloats(attribute.reals)); break;
    case Type::Ints: set(attr::fromInts(attribute.numbers)); break;
    case Type::Strings: set(attr::fromStrings(attribute.texts)); break;
    case Type::Tensor: {
        // Small in every model, because weights are initializers.
        const OnnxTensor& tensor = attribute.tensor;
        if (dtypeSize(tensor.dtype) > 0 && tensor.externalFile.empty())
            set(headOfConstant(tensor.dtype, {tensor.dims, false}, tensor.bytes.size()) +
                std::string(tensor.bytes.view()));
        break;
    }
    case Type::Graph:
    case Type::Unknown: break;
    }
    return Done{};
}

Status OnnxGraphReader::takeCaptured(const OnnxNode& node, const std::vector<std::string>& names)
{
    constexpr std::uint64_t leastOfArgument = 32;
    std::uint64_t bytes = 0;
    for (const std::string& name : names)
        bytes += name.size() + leastOfArgument;
    const auto bodies = std::uint64_t(std::ranges::count_if(
        node.attributes, [](const OnnxAttribute& one) { return one.graph != nullptr; }));
    if (bytes * bodies > m_shared.capturedLeft)
        return Error{ErrorCode::BadFile,
                     "the " + std::to_string(bodies) + " graphs in a node (" + node.op +
                         ") take more tensors from around them than any model's"};
    m_shared.capturedLeft -= bytes * bodies;
    return Done{};
}

Status OnnxGraphReader::addBodies(const OnnxNode& node, NodeDraft& draft)
{
    std::vector<std::string> captured;
    std::set<std::string_view> seen;
    for (const OnnxAttribute& attribute : node.attributes)
        if (attribute.graph != nullptr)
            for (const std::string& name : m_shared.captured.of(*attribute.graph))
                if (seen.insert(name).second)
                    captured.push_back(name);
    RETURN_IF_ERROR(takeCaptured(node, captured));
    std::vector<OperandFacts> facts;
    for (const std::string& name : captured) {
        RETURN_IF_ERROR(provide(name));
        draft.inputs.push_back(reference(name));
        facts.push_back(factsNamed(name));
    }
    if (!captured.empty())
        draft.setAttr("_captured", attr::fromInt(std::int64_t(captured.size())));
    for (const OnnxAttribute& attribute : node.attributes) {
        if (attribute.graph == nullptr)
            continue;
        std::string name = m_shared.functionNames.freeName(draft.name + "_" + attribute.name);
        draft.setAttr(attribute.name, attr::fromFunctionName(name));
        OnnxGraphReader body(*attribute.graph, m_shared);
        RETURN_IF_ERROR(body.readBody(std::move(name), facts));
    }
    return Done{};
}

Status OnnxGraphReader::addNode(const OnnxNode& node, const std::string& name)
{
    NodeDraft draft;
    draft.name = name;
    draft.op = operatorName(node.domain, node.op);
    std::vector<std::int64_t> leftOut;
    for (std::size_t slot = 0; slot < node.inputs.size(); ++slot) {
        if (node.inputs[slot].empty()) {
            leftOut.push_back(std::int64_t(slot));
            continue;
        }
        RETURN_IF_ERROR(provide(node.inputs[slot]));
        draft.inputs.push_back(reference(node.inputs[slot]));
    }
    if (!leftOut.empty())
        draft.setAttr("_left_out", attr::fromInts(leftOut));
    // From opset 16 on, no lifted operator has changed its meaning.
    if (m_shared.opset > 0 && m_shared.opset < 16 && node.domain.empty())
        draft.setAttr("_opset", attr::fromInt(m_shared.opset));
    for (const OnnxAttribute& attribute : node.attributes)
        RETURN_IF_ERROR(setAttribute(draft, attribute));
    RETURN_IF_ERROR(addBodies(node, draft));
    std::vector<OperandFacts> outputs;
    for (const std::string& output : node.outputs)
        outputs.push_back(factsNamed(output));
    m_nodes.addOperator(std::move(draft), outputs);
    return Done{};
}

Status OnnxGraphReader::addNodes()
{
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
        RETURN_IF_ERROR(addNode(m_graph.nodes[i], m_nodeNames[i]));
    for (const OnnxTensor& tensor : m_graph.initializers)
        RETURN_IF_ERROR(provide(tensor.name));
    return Done{};
}

Status OnnxGraphReader::readModel()
{
    for (const OnnxValue& input : inputs()) {
        const auto [at, isNew] = m_refs.try_emplace(input.name);
        if (!isNew)
            return Error{ErrorCode::BadFile, "two inputs are named " + input.name};
        at->second = m_nodes.freeName(input.name);
        m_nodes.addInput(draftNamed(at->second), factsOf(input));
    }
    RETURN_IF_ERROR(nameEverything());
    return addNodes();
}

Status OnnxGraphReader::readBody(std::string name, std::vector<OperandFacts> captured)
{
    OperatorFunction function{.name = std::move(name)};
    for (const OnnxValue& input : inputs())
        function.arguments.push_back(factsOf(input));
    function.arguments.insert(function.arguments.end(), captured.begin(), captured.end());
    for (std::size_t i = 0; i < function.arguments.size(); ++i) {
        const OperandFacts& facts = function.arguments[i];
        const std::string place = m_nodes.freeName(facts.name);
        m_refs.try_emplace(facts.name, place); // a name defined in the body hides the outer one
        m_facts.try_emplace(facts.name, facts);
        m_nodes.addArgument(draftNamed(place), facts, i);
    }
    RETURN_IF_ERROR(nameEverything());
    RETURN_IF_ERROR(addNodes());
    for (std::size_t i = 0; i < m_graph.outputs.size(); ++i) {
        const OnnxValue& output = m_graph.outputs[i];
        function.results.push_back(factsNamed(output.name));
        m_nodes.addResult(function.results.back(), i, reference(output.name));
    }
    m_shared.functions.emplace_back(std::move(function), std::move(m_nodes));
    return Done{};
}

std::vector<SignatureTensor> endsOf(OnnxGraphReader& reader, const std::vector<OnnxValue>& values)
{
    std::vector<SignatureTensor> ends;
    for (const OnnxValue& value : values) {
        const OperandFacts facts = reader.factsNamed(value.name);
        const std::string reference = reader.reference(value.name);
        ends.push_back({value.name,
                        reference.find(':') == reference.npos ? reference + ":0" : reference,
                        facts.dtype, facts.shape});
    }
    return ends;
}

Status readGraphs(ModelFile& file, const OnnxModel& model, const Job& job)
{
    OnnxShared shared(file, model.opset);
    for (const OnnxFunction& function : model.functions)
        shared.functionNames.freeName(operatorName(function.domain, function.name));
    for (const OnnxFunction& function : model.functions) {
        OnnxGraphReader body(function.body, shared);
        RETURN_IF_ERROR(body.readBody(operatorName(function.domain, function.name), {}));
    }
    OnnxGraphReader reader(model, shared);
    RETURN_IF_ERROR(reader.readModel());
    if (job.cancelled())
        return cancelledError();
    shared.values.map();
    std::vector<OperatorFunction> functions;
    for (auto& [function, nodes] : shared.functions) {
        function.body = std::move(nodes).finish(shared.values);
        functions.push_back(std::move(function));
    }
    GraphEntry entry;
    entry.signatures.push_back(
        {"main", {}, endsOf(reader, reader.inputs()), endsOf(reader, model.outputs)});
    entry.graph =
        std::move(reader).take().finish(shared.values, functionLibrary(std::move(functions)));
    entry.problems = shared.external.takeProblems();
    file.graphs.push_back(std::move(entry));
    return Done{};
}

// Reads the graph of a .onnx file from its buffer: operators with their own names and attributes,
// bodies of If, Loop and Scan as functions whose captured values are further arguments. Weights in
// other files are read only from the model's folder. A damaged file gets a problem and no graph.
Status readOnnxFile(ModelFile& file, const Job& job)
{
    const auto model = decodeOnnx(file.buffer);
    Status done = model ? readGraphs(file, *model, job) : Status(model.error());
    if (done || done.error().code != ErrorCode::BadFile)
        return done;
    const std::string_view prefix = model ? "is a damaged ONNX file: " : "";
    Problem problem;
    problem.kind = "damaged_file";
    problem.message = file.path.string() + " " + std::string(prefix) + done.error().message;
    file.problems.push_back(std::move(problem));
    return Done{};
}

} // namespace

const FileFormatRow formats::onnx{
    .format = FileFormat::Onnx,
    .name = "onnx",
    .title = "ONNX model",
    .holdsGraphs = true,
    .read = readOnnxFile,
    .hasFields = isOnnx,
    .patterns = "*.onnx",
};

} // namespace lapidary
