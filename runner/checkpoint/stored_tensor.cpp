#include "runner/checkpoint/stored_tensor.h"

#include "graph_model/base/wire.h"
#include "graph_model/checkpoint/checkpoint.h"

namespace lapidary {
namespace {

constexpr int mostSteps = 8; // of Identity nodes between a restored value and its variable

Error fault(const Node& node, std::string why)
{
    return {ErrorCode::NotFound, std::string(node.name()) + ": " + std::move(why)};
}

std::string ownName(const Node& node)
{
    const auto shared = node.attr("shared_name").asString();
    return std::string(shared && !shared->empty() ? *shared : node.name());
}

bool isAssignment(const Node& node)
{
    return node.op() == "Assign" || node.op() == "AssignVariableOp";
}

// The name that RestoreV2 reads for one of its outputs; empty where that is not in the graph.
std::string restoredName(const Graph& graph, Endpoint from)
{
    for (int i = 0; i < mostSteps && from.node.isValid() && !from.isControl(); ++i) {
        const auto inputs = graph.inputs(from.node);
        if (graph.node(from.node).op() == "RestoreV2" && inputs.size() > 1 &&
            inputs[1].node.isValid()) {
            const auto names = graph.node(inputs[1].node).tensor();
            const auto strings = names ? names.value().strings() : names.error();
            const bool has = strings && std::size_t(from.port) < strings.value().size();
            return has ? strings.value()[std::size_t(from.port)] : std::string();
        }
        if (graph.node(from.node).op() != "Identity" || inputs.empty())
            break;
        from = inputs[0];
    }
    return {};
}

std::string nameInCheckpoint(const Graph& graph, NodeId id, const Checkpoint& checkpoint)
{
    std::string own = ownName(graph.node(id));
    if (checkpoint.find(own) != nullptr)
        return own;
    for (const Consumer& reader : graph.consumers(id)) {
        const auto inputs = graph.inputs(reader.node);
        if (!isAssignment(graph.node(reader.node)) || reader.slot != 0 || inputs.size() < 2)
            continue;
        std::string restored = restoredName(graph, inputs[1]);
        if (!restored.empty() && checkpoint.find(restored) != nullptr)
            return restored;
    }
    return {};
}

Result<Tensor> asTensor(const CheckpointValue& value)
{
    std::string proto; // dtype 1, tensor_shape 2, tensor_content 4, string_val 8
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(value.dtype));
    writer.bytes(2, encodeShape({value.dims, false}));
    if (value.dtype == DType::String)
        for (const std::string& text : value.strings)
            writer.bytes(8, text);
    else
        writer.bytes(4, value.bytes);
    const auto buffer = std::make_shared<const TextBuffer>(std::move(proto));
    return Tensor::decode(buffer->bytes(), buffer);
}

} // namespace

bool isVariable(const Node& node)
{
    return node.op() == "VariableV2" || node.op() == "Variable" || node.op() == "VarHandleOp";
}

Result<Tensor> storedTensor(const Graph& graph, NodeId id, const std::filesystem::path& checkpoint,
                            const Job& job)
{
    const Node& node = graph.node(id);
    if (!isVariable(node))
        return node.tensor();
    if (checkpoint.empty())
        return fault(node, "no checkpoint lies with the model");
    const OpenedCheckpoint opened = openCheckpoint(checkpoint, job);
    if (!opened.checkpoint)
        return fault(node, opened.problems.empty() ? "its checkpoint cannot be read"
                                                   : opened.problems.front().message);
    const std::string name = nameInCheckpoint(graph, id, *opened.checkpoint);
    if (name.empty())
        return fault(node, "the checkpoint has no variable of its name");
    const CheckpointRead read = opened.checkpoint->read(name);
    if (read.problem)
        return fault(node, read.problem->message);
    return asTensor(read.value);
}

} // namespace lapidary
