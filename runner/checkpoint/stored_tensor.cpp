// SPDX-License-Identifier: Apache-2.0
#include "runner/checkpoint/stored_tensor.h"

#include "graph_model/base/wire.h"
#include "graph_model/ops/op_traits.h"
#include "runner/checkpoint/variable_reader.h"

namespace lapidary {
namespace {

Error fault(const Node& node, std::string why)
{
    return {ErrorCode::NotFound, std::string(node.name()) + ": " + std::move(why)};
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

Result<Tensor> storedTensor(const Graph& graph, NodeId id, const std::filesystem::path& checkpoint,
                            const Job& job)
{
    const Node& node = graph.node(id);
    if (!isStoredVariable(node.op()))
        return node.tensor();
    if (checkpoint.empty())
        return fault(node, "no checkpoint lies with the model");
    const auto shared = std::shared_ptr<const Graph>(std::shared_ptr<const void>(), &graph);
    ASSIGN_OR_RETURN(const auto variables, VariableReader::open(shared, checkpoint, job));
    ASSIGN_OR_RETURN(const auto value, variables.read(id));
    return asTensor(value);
}

} // namespace lapidary
