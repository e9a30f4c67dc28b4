// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/output_signs.h"

#include "graph_model/binding/node_signature.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"

namespace lapidary {

bool isPickingOp(std::string_view op)
{
    return op == "ArgMax" || op.starts_with("TopK") || op == "InTopK" || op == "InTopKV2";
}

bool isReshapingOp(std::string_view op)
{
    return keepsElements(op) || convertsElements(op) || op == "Transpose" ||
           op == "SparseToDense" || op == "AsString";
}

bool neverAnOutput(std::string_view op)
{
    return op == "NoOp" || isVariableHandle(op) || isLoopCond(op) || isNextIteration(op) ||
           isEnter(op) || op.ends_with("Dataset") || op.ends_with("DatasetV2") ||
           op == "Iterator" || op == "IteratorV2" || op.ends_with("QueueV2") ||
           op.ends_with("Queue") || op.find("HashTable") != std::string_view::npos;
}

// Returns the result of a lookup in a table of words, default included, where words become numbers.
bool isLookup(const Graph& graph, NodeId id)
{
    const auto inputs = graph.inputs(id);
    const std::string_view op = graph.node(id).op();
    if (!op.starts_with("Select") || inputs.size() < 2 || !inputs[1].node.isValid())
        return false;
    return graph.node(inputs[1].node).op().starts_with("LookupTableFind");
}

std::int64_t weighedPorts(const Node& node)
{
    constexpr std::int64_t most = 64;
    const OpSpec* op = findOp(node.op());
    if (op == nullptr || isFunctionResult(node.op()))
        return 1;
    return std::min(outputLength(node, *op).value_or(1), most);
}

std::string_view outputName(const Node& node, std::int32_t port)
{
    const OpSpec* op = findOp(node.op());
    std::int64_t first = 0;
    for (std::size_t i = 0; op != nullptr && i < op->outputs.size(); ++i) {
        const ArgSpec& output = op->outputs[i];
        first += argumentLength(node, *op, output).value_or(1);
        if (port < first)
            return output.name;
    }
    return {};
}

// Tells whether a tensor holds the indices or the shape of a sparse tensor.
bool isSparseFrame(const Node& node, std::int32_t port)
{
    const std::string_view name = outputName(node, port);
    return name.ends_with("_indices") || name.ends_with("_shape") || name.ends_with("_shapes");
}

} // namespace lapidary
