// SPDX-License-Identifier: Apache-2.0
#include "runner/checkpoint/stored_tensor.h"

#include "graph_model/ops/op_traits.h"
#include "graph_model/tensor/make_tensor.h"
#include "runner/checkpoint/variable_reader.h"

namespace lapidary {
namespace {

Error fault(const Node& node, std::string why)
{
    return {ErrorCode::NotFound, std::string(node.name()) + ": " + std::move(why)};
}

} // namespace

Result<Tensor> tensorOf(const CheckpointValue& value)
{
    const Shape shape{value.dims, false};
    return value.dtype == DType::String ? makeStringTensor(shape, value.strings)
                                        : makeTensor(value.dtype, shape, value.bytes);
}

Result<Tensor> storedTensor(const Graph& graph, NodeId id, const VariableStore& store,
                            const Job& job)
{
    const Node& node = graph.node(id);
    if (!isStoredVariable(node.op()))
        return node.tensor();
    if (store.checkpoint.empty())
        return fault(node, "there is no checkpoint with the model");
    const auto shared = std::shared_ptr<const Graph>(std::shared_ptr<const void>(), &graph);
    ASSIGN_OR_RETURN(const auto variables,
                     VariableReader::open(shared, store.checkpoint, job, store.bound));
    ASSIGN_OR_RETURN(const auto value, variables.read(id));
    return tensorOf(value);
}

} // namespace lapidary
