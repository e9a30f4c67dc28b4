// SPDX-License-Identifier: Apache-2.0
#include "transforms/edits/placeholder_node.h"

#include "graph_model/binding/node_signature.h"
#include "transforms/constants/const_node.h"

namespace lapidary {

DType dtypeOfOutput(const Graph& graph, NodeId id, std::int32_t port)
{
    const Node& node = graph.node(id);
    const OpSpec* op = findOp(node.op());
    return op == nullptr || port < 0 ? DType::Invalid
                                     : withoutReference(outputDtype(node, *op, port));
}

Result<NodeDraft> placeholderFor(const std::string& name, DType dtype, const Parameters& parameters)
{
    const auto type = parameters.oneString("type", "");
    RETURN_IF_ERROR(type);
    const auto shape = parameters.oneString("shape", "unknown");
    RETURN_IF_ERROR(shape);
    if (!type->empty()) {
        const auto given = parseDtype(*type);
        if (!given)
            return Error{ErrorCode::InvalidArgument,
                         "\"" + *type + "\" is not a dtype; write float, int32, uint8..."};
        dtype = *given;
    }
    if (dtype == DType::Invalid || isReference(dtype))
        return Error{ErrorCode::InvalidArgument,
                     name + ": its type is not known; give it, as in type=float"};
    ASSIGN_OR_RETURN(const auto dims, parseShapeList(*shape));
    NodeDraft draft = newNode(name, "Placeholder");
    draft.setAttr("dtype", attr::fromType(dtype));
    draft.setAttr("shape", attr::fromShape(dims));
    return draft;
}

} // namespace lapidary
