// SPDX-License-Identifier: Apache-2.0
#include "graph_model/check/check_context.h"

#include "graph_model/base/printable.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::size_t maxQuoted = 160;

// The kind and severity of a fault found by an op's definition.
struct Verdict {
    std::string_view kind;
    Severity severity = Severity::Error;
};

// Returns whether the import ignores a placeholder in this attribute: it does unless it needs it
// for the inputs and outputs of the node. Shape rules report those that shapes need.
bool isUnread(const Node& node, const OpSpec& op, const AttrSpec& attr)
{
    const auto isNeeded = [&](const ArgSpec& arg) {
        return arg.typeAttr == attr.name || arg.numberAttr == attr.name ||
               arg.typeListAttr == attr.name;
    };
    return node.attr(attr.name).kind() == AttrKind::Placeholder &&
           std::ranges::none_of(op.inputs, isNeeded) && std::ranges::none_of(op.outputs, isNeeded);
}

Verdict verdictOn(const CheckContext& context, NodeId node, const OpSpec& op,
                  const BindFault& fault)
{
    switch (fault.kind) {
    case BindFaultKind::MissingAttr:
        return {op.name == "Const" && fault.attr->name == "value" ? "no_value" : "missing_attr",
                context.againstRegistry()};
    case BindFaultKind::WrongAttrKind:
        return {"wrong_attr_type", isUnread(context.graph.node(node), op, *fault.attr)
                                       ? Severity::Warning
                                       : Severity::Error};
    case BindFaultKind::AttrNotAllowed:
    case BindFaultKind::AttrTooSmall: return {"wrong_attr_value", context.againstRegistry()};
    case BindFaultKind::AttrTooLarge: return {"wrong_attr_value"};
    case BindFaultKind::BadShape: return {"bad_shape"};
    case BindFaultKind::BadDtype: {
        const bool mayBeNewer = !isReference(fault.dtype) && std::int32_t(fault.dtype) > 0;
        return {"bad_dtype", mayBeNewer ? context.againstRegistry() : Severity::Error};
    }
    case BindFaultKind::InternalOp: return {"unknown_op"};
    case BindFaultKind::InputCount: return {"input_count", context.againstSignature(node)};
    case BindFaultKind::InputDtype: return {"dtype_mismatch", context.againstSignature(node)};
    }
    return {"wrong_attr_value"};
}

} // namespace

Severity CheckContext::againstSignature(NodeId node) const
{
    const OpSpec* spec = specs[node.value];
    const bool hasNewAttr =
        spec != nullptr && std::ranges::any_of(graph.node(node).attrs(), [&](const Attr& attr) {
            return !attr.name.starts_with('_') &&
                   std::ranges::find(spec->attrs, attr.name, &AttrSpec::name) == spec->attrs.end();
        });
    return isNewer() && hasNewAttr ? Severity::Warning : Severity::Error;
}

void CheckContext::report(std::string_view kind, Severity severity, NodeId node,
                          std::string message)
{
    if (severity == Severity::Error && kind != "missing_function") // only its calls fail
        isFaulty[node.value] = true;
    problems.add(kind, severity, place.scope + std::string(graph.node(node).name()),
                 std::move(message));
}

void CheckContext::report(NodeId node, const OpSpec& op, const BindFault& fault, std::string text)
{
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = char(text[0] - 'a' + 'A');
    const Verdict verdict = verdictOn(*this, node, op, fault);
    report(verdict.kind, verdict.severity, node, std::move(text));
}

std::string quote(std::string_view text)
{
    if (text.size() <= maxQuoted)
        return "'" + printable(text) + "'";
    return "'" + printable(text.substr(0, maxQuoted / 2)) + "…" +
           printable(text.substr(text.size() - maxQuoted / 2)) + "'";
}

} // namespace lapidary
