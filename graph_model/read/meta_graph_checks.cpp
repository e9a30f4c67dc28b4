// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/meta_graph_checks.h"

#include "graph_model/base/text.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/read/wire_check.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace lapidary {
namespace {

constexpr std::string_view initSignature = "__saved_model_init_op";
constexpr std::array<std::string_view, 2> mainOpCollections{"saved_model_main_op",
                                                            "legacy_init_op"};
constexpr std::array<std::string_view, 7> variableCollections{"variables",
                                                              "trainable_variables",
                                                              "global_step",
                                                              "local_variables",
                                                              "model_variables",
                                                              "metric_variables",
                                                              "moving_average_variables"};

// Returns the dtypes of a node's outputs in the op registry; nothing if the op or a count is
// unknown.
std::optional<std::vector<DType>> outputTypes(const Node& node)
{
    const OpSpec* op = findOp(node.op());
    if (op == nullptr)
        return std::nullopt;
    std::vector<DType> types;
    for (const ArgSpec& output : op->outputs) {
        if (!output.typeListAttr.empty()) {
            if (!node.hasAttr(output.typeListAttr))
                return std::nullopt;
            const std::vector<DType> list = node.attr(output.typeListAttr).types();
            types.insert(types.end(), list.begin(), list.end());
            continue;
        }
        const DType dtype = output.typeAttr.empty()
                                ? output.dtype
                                : node.attr(output.typeAttr).asType().value_or(DType::Invalid);
        std::int64_t count = 1;
        if (!output.numberAttr.empty())
            count = node.attr(output.numberAttr).asInt().value_or(-1);
        if (count < 0 || count > 100000)
            return std::nullopt;
        types.insert(types.end(), std::size_t(count), dtype);
    }
    return types;
}

struct TensorName {
    std::string_view node;
    std::optional<std::int32_t> port;
};

TensorName parseTensorName(std::string_view text)
{
    const std::size_t colon = text.rfind(':');
    if (colon == text.npos)
        return {text, std::nullopt};
    std::int32_t port = 0;
    const char* end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data() + colon + 1, end, port);
    if (fault != std::errc() || stop != end || port < 0)
        return {text, std::nullopt};
    return {text.substr(0, colon), port};
}

struct TensorFault {
    std::string text; // empty: no fault
    Severity severity = Severity::Error;
};

// Returns the fault of a tensor that a signature names. A wrong dtype is only a warning: TensorFlow
// loads and serves such a model.
TensorFault tensorFault(const Graph& graph, std::string_view name, DType dtype, bool mayBeOp)
{
    const TensorName tensor = parseTensorName(name);
    if (!tensor.port && !mayBeOp)
        return {inQuotes(name) + " is not a tensor name (node:port)"};
    const NodeId id = graph.find(tensor.node);
    if (!id.isValid())
        return {"no node has the name " + inQuotes(tensor.node)};
    const std::optional<std::vector<DType>> types = outputTypes(graph.node(id));
    if (!types || !tensor.port)
        return {};
    if (std::size_t(*tensor.port) >= types->size())
        return {"node " + inQuotes(tensor.node) + " has no output " + std::to_string(*tensor.port)};
    const DType actual = (*types)[std::size_t(*tensor.port)];
    const bool isKnown = dtype != DType::Invalid && actual != DType::Invalid;
    if (isKnown && withoutReference(actual) != withoutReference(dtype))
        return {"it says " + dtypeName(dtype) + ", the tensor is " + dtypeName(actual),
                Severity::Warning};
    return {};
}

void checkTensors(const Graph& graph, const Signature& signature,
                  const std::vector<SignatureTensor>& tensors, Problems& problems)
{
    for (const SignatureTensor& tensor : tensors) {
        const std::string where = signature.name + "/" + tensor.key;
        TensorFault fault{tensor.tensor.empty() ? "it names no tensor" : ""};
        std::string_view rest = tensor.tensor;
        const bool isSingle = rest.find(", ") == rest.npos;
        while (!rest.empty() && fault.text.empty()) {
            const std::size_t comma = rest.find(", ");
            fault =
                tensorFault(graph, rest.substr(0, comma), isSingle ? tensor.dtype : DType::Invalid,
                            signature.name == initSignature);
            rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 2);
        }
        if (!fault.text.empty())
            problems.push_back(problemAt("bad_signature", where,
                                         "signature " + where + ": " + fault.text, fault.severity));
    }
}

bool isNamed(const Graph& graph, std::string_view tensorOrNode)
{
    return graph.find(tensorOrNode).isValid() ||
           graph.find(parseTensorName(tensorOrNode).node).isValid();
}

std::string variableFault(const Graph& graph, std::string_view variableDef)
{
    WireChecker checker;
    if (!checker.check(variableDef, MessageId::VariableDef, 0) || !checker.faults().empty())
        return "an entry is not a VariableDef message";
    WireCursor cursor(variableDef);
    WireField field;
    while (cursor.next(field))
        if (field.field == 1 && field.type == WireType::Bytes && !isNamed(graph, field.bytes()))
            return "no node has the name " + inQuotes(parseTensorName(field.bytes()).node);
    return {};
}

void checkCollection(const Graph& graph, const Collection& collection, Problems& problems)
{
    const std::string name(collection.name);
    const auto report = [&](const std::string& fault, Severity severity) {
        problems.push_back(
            problemAt("bad_collection", name, "collection " + name + ": " + fault, severity));
    };
    if (collection.kind.empty())
        return report("it says no kind of content", Severity::Warning);
    const bool isVariables =
        collection.kind == "bytes_list" &&
        std::ranges::find(variableCollections, collection.name) != variableCollections.end();
    for (const std::string_view value : collection.values) {
        if (collection.kind == "node_list" && !isNamed(graph, value))
            return report("no node has the name " + inQuotes(parseTensorName(value).node),
                          Severity::Error);
        const std::string fault = isVariables ? variableFault(graph, value) : std::string();
        if (!fault.empty())
            return report(fault, Severity::Error);
    }
}

void checkMainOp(const Graph& graph, const Collection& collection, Problems& problems)
{
    const std::string name(collection.name);
    if (collection.kind == "node_list" && collection.values.size() != 1)
        problems.push_back(problemAt("bad_main_op", name,
                                     "collection " + name + " must name one node, it names " +
                                         std::to_string(collection.values.size())));
    else if (collection.kind == "node_list" && !isNamed(graph, collection.values[0]))
        problems.push_back(problemAt("bad_main_op", name,
                                     "collection " + name + ": no node has the name " +
                                         inQuotes(collection.values[0])));
}

void checkSaver(const MetaGraphRead& meta, Problems& problems)
{
    for (const std::string_view name : {meta.filenameTensor, meta.saveTensor, meta.restoreOp})
        if (!name.empty() && !isNamed(*meta.entry.graph, name))
            problems.push_back(
                problemAt("bad_saver", std::string(parseTensorName(name).node),
                          "the saver names " + inQuotes(name) + ", which the graph does not have"));
}

} // namespace

Problems checkMetaGraph(const MetaGraphRead& meta, bool isSavedModel)
{
    Problems problems;
    const Graph& graph = *meta.entry.graph;
    for (const Signature& signature : meta.entry.signatures) {
        checkTensors(graph, signature, signature.inputs, problems);
        checkTensors(graph, signature, signature.outputs, problems);
    }
    for (const Collection& collection : meta.collections) {
        const bool isMainOp =
            std::ranges::find(mainOpCollections, collection.name) != mainOpCollections.end();
        if (isMainOp && isSavedModel)
            checkMainOp(graph, collection, problems);
        else
            checkCollection(graph, collection, problems);
    }
    checkSaver(meta, problems);
    return problems;
}

} // namespace lapidary
