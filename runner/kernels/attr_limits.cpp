#include "runner/kernels/attr_limits.h"

#include "graph_model/ops/op_registry.h"

#include <optional>
#include <string>

namespace lapidary {
namespace {

std::int64_t listLength(const AttrValue& value, std::string_view kind)
{
    if (kind == "list(type)")
        return std::int64_t(value.types().size());
    if (kind == "list(int)")
        return std::int64_t(value.ints().size());
    if (kind == "list(string)")
        return std::int64_t(value.strings().size());
    if (kind == "list(shape)")
        return std::int64_t(value.shapes().size());
    if (kind == "list(float)")
        return std::int64_t(value.floats().size());
    return std::int64_t(value.encoded().size());
}

// Reads "\"SAME\"|\"VALID\"".
bool isAllowed(std::string_view allowed, std::string_view value)
{
    const std::string wanted = '"' + std::string(value) + '"';
    return value.find('"') == std::string_view::npos &&
           allowed.find(wanted) != std::string_view::npos;
}

std::string faultOf(const AttrSpec& spec, const AttrValue& value)
{
    const auto atLeast = [&](std::string_view what, std::int64_t given) {
        return given >= spec.minimum ? std::string()
                                     : std::string(what) + std::to_string(given) +
                                           ", but must be at least " + std::to_string(spec.minimum);
    };
    if (spec.hasMinimum && spec.kind.starts_with("list("))
        return atLeast("has a length of ", listLength(value, spec.kind));
    if (spec.hasMinimum)
        return atLeast("is ", value.asInt().value_or(spec.minimum));
    const auto text = value.asString();
    if (text && spec.kind == "string" && !spec.allowedText.empty() &&
        !isAllowed(spec.allowedText, *text))
        return "is '" + std::string(*text) + "'; allowed are " + std::string(spec.allowedText);
    return {};
}

} // namespace

Status checkAttrLimits(const Node& node)
{
    const OpSpec* op = findOp(node.op());
    if (op == nullptr)
        return Done{};
    for (const AttrSpec& spec : op->attrs) {
        if ((!spec.hasMinimum && spec.allowedText.empty()) || !node.hasAttr(spec.name))
            continue;
        if (const std::string fault = faultOf(spec, node.attr(spec.name)); !fault.empty())
            return Error{ErrorCode::InvalidArgument, std::string(node.name()) + ": its attribute " +
                                                         std::string(spec.name) + ' ' + fault};
    }
    return Done{};
}

} // namespace lapidary
