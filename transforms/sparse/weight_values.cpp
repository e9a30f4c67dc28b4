// SPDX-License-Identifier: Apache-2.0
#include "transforms/sparse/weight_values.h"

#include "graph_model/base/wire.h"
#include "runner/execute/session.h"
#include "transforms/constants/const_node.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace lapidary {
namespace {

constexpr double aboutZero = 1e-5;

Error failed(const Node& variable, const std::string& what)
{
    return {ErrorCode::InvalidArgument, std::string(variable.name()) + ": " + what};
}

// Returns the name in the checkpoint: "w" for "w/part_1".
std::string storedName(std::string_view name)
{
    const std::size_t slash = name.rfind('/');
    const bool isPart =
        slash != std::string_view::npos && name.substr(slash + 1).starts_with("part_");
    return std::string(isPart ? name.substr(0, slash) : name);
}

// Returns whether a saver's node restores: it has a name like "save.../...Assign...".
bool isRestoring(const Node& node)
{
    const std::string_view name = node.name();
    const std::size_t slash = name.find('/');
    return slash != std::string_view::npos && name.find('/', slash + 1) == std::string_view::npos &&
           name.starts_with("save") && name.substr(slash + 1).starts_with("Assign");
}

std::vector<std::string> stringsOf(const Graph& graph, NodeId reader, std::size_t slot)
{
    const auto inputs = graph.inputs(reader);
    if (slot >= inputs.size() || !inputs[slot].node.isValid())
        return {};
    const auto tensor = graph.node(inputs[slot].node).tensor();
    if (!tensor || tensor.value().dtype() != DType::String)
        return {};
    auto strings = tensor.value().strings();
    return strings ? std::move(strings).value() : std::vector<std::string>();
}

// Returns the slice of the stored tensor that the saver restores into a variable.
Result<std::string> sliceOf(const Graph& graph, NodeId variable)
{
    const Node& node = graph.node(variable);
    for (const Consumer& consumer : graph.consumers(variable)) {
        if (consumer.slot != 0 || consumer.isControl() || !isRestoring(graph.node(consumer.node)) ||
            graph.inputs(consumer.node).size() < 2)
            continue;
        const NodeId restore = graph.inputs(consumer.node)[1].node;
        if (!restore.isValid() || graph.node(restore).op() != "RestoreV2")
            continue;
        const auto names = stringsOf(graph, restore, 1);
        const auto slices = stringsOf(graph, restore, 2);
        const auto at = std::ranges::find(names, storedName(node.name()));
        if (at != names.end() && std::size_t(at - names.begin()) < slices.size())
            return slices[std::size_t(at - names.begin())];
        return failed(node, "the saver does not restore " + storedName(node.name()));
    }
    return failed(node, "the graph has no save/Assign that restores it");
}

NodePtr textConst(const char* name, const Dims& dims, const std::string& text)
{
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(DType::String));
    writer.bytes(2, encodeShape({dims, false}));
    writer.bytes(8, text);
    NodeDraft draft = newNode(name, "Const");
    draft.setAttr("dtype", attr::fromType(DType::String));
    draft.setAttr("value", attr::fromTensorProto(proto));
    return draft.finish();
}

// Reads a value as the graph itself would restore it.
Result<Value> restored(const Node& variable, const std::string& prefix, const std::string& slice,
                       const Job& job)
{
    const std::string whole = std::filesystem::absolute(prefix).string();
    Graph::Parts parts;
    parts.nodes = {textConst("prefix", {}, whole),
                   textConst("names", {1}, storedName(variable.name())),
                   textConst("slices", {1}, slice)};
    NodeDraft restore = newNode("restore", "RestoreV2", {"prefix", "names", "slices"});
    restore.setAttr("dtypes", std::string("\x0A\x03\x32\x01\x01", 5)); // a list of one float
    parts.nodes.push_back(restore.finish());
    Session reader(Graph::make(std::move(parts)), {.allowFiles = true});
    auto values = reader.run({.feeds = {}, .fetches = {"restore:0"}, .targets = {}}, job);
    if (!values && job.cancelled())
        return cancelledError();
    if (!values)
        return failed(variable, values.error().message);
    return std::move(values->front());
}

ColumnRead sparse(const Dims& dims, std::span<const float> values)
{
    ColumnRead read;
    if (dims.size() != 2 || dims[1] != 1) {
        read.declined = "it has the shape " + dimsText(dims) + ", not one column";
        return read;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::abs(double(values[i])) < aboutZero)
            continue;
        read.column.rows.push_back(std::int64_t(i));
        read.column.values.push_back(values[i]);
    }
    if (read.column.rows.empty())
        read.column = {{0}, {0}};
    return read;
}

} // namespace

Result<ColumnRead> readColumn(const Graph& graph, NodeId weights, const std::string& prefix,
                              const Job& job)
{
    const Node& node = graph.node(weights);
    if (node.op() == "Const") {
        const auto values = floatValues(node);
        if (!values)
            return ColumnRead{{}, std::string(node.name()) + " " + values.error().message};
        return sparse(constDims(node), *values);
    }
    if (prefix.empty())
        return failed(node, "it is a variable; give input_checkpoint");
    ASSIGN_OR_RETURN(const auto slice, sliceOf(graph, weights));
    ASSIGN_OR_RETURN(const auto value, restored(node, prefix, slice, job));
    return sparse(value.dims(), value.as<float>());
}

} // namespace lapidary
