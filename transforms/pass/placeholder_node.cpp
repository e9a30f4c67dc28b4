#include "transforms/pass/placeholder_node.h"

#include "graph_model/ops/node_signature.h"
#include "transforms/pass/const_node.h"

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
    if (!type)
        return type.error();
    const auto shape = parameters.oneString("shape", "unknown");
    if (!shape)
        return shape.error();
    if (!type.value().empty()) {
        const auto given = parseDtype(type.value());
        if (!given)
            return Error{ErrorCode::InvalidArgument,
                         "\"" + type.value() + "\" is no dtype; write float, int32, uint8..."};
        dtype = *given;
    }
    if (dtype == DType::Invalid || isReference(dtype))
        return Error{ErrorCode::InvalidArgument,
                     name + ": its type is not known; give it, as in type=float"};
    const auto dims = parseShapeList(shape.value());
    if (!dims)
        return dims.error();
    NodeDraft draft = newNode(name, "Placeholder");
    draft.setAttr("dtype", attr::fromType(dtype));
    draft.setAttr("shape", attr::fromShape(dims.value()));
    return draft;
}

} // namespace lapidary
