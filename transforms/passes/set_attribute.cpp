// set_attribute
//
//   before:  p = MaxPool(x) {padding=VALID}
//   after (name=p, attribute_name=padding, value=SAME):  p = MaxPool(x) {padding=SAME}
//
// Values are read as the op registry says, or else as the value that is there. Not an original
// transform.
#include "transforms/pass/attribute_text.h"
#include "transforms/pass/chosen_nodes.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    nodeParameter,
    scopeParameter,
    ParameterSpec{.name = "op_name",
                  .type = "string",
                  .defaultText = "*",
                  .help = "of these, only nodes of this op; * for all"},
    ParameterSpec{.name = "attribute_name",
                  .type = "string",
                  .help = "the attribute to set",
                  .isRequired = true},
    ParameterSpec{.name = "value",
                  .type = "string",
                  .help = "its value, as in SAME, 0.5, true, float or 1,2,2,1",
                  .isRequired = true},
    ParameterSpec{.name = "kind",
                  .type = "string",
                  .help =
                      "how the value is read, as in \"list(int)\", where neither the op nor the "
                      "value that is there says"},
};

struct Setting {
    std::vector<NodeId> nodes;
    std::string attribute;
    std::string value;
    std::string kind; // empty: as each node says
};

Result<Setting> settingOf(const Graph& graph, const PassArgs& args)
{
    auto nodes = chosenNodes(graph, args.parameters, "set_attribute");
    if (!nodes)
        return nodes.error();
    auto attribute = args.parameters.required("attribute_name", "set_attribute");
    if (!attribute)
        return attribute.error();
    auto value = args.parameters.required("value", "set_attribute");
    if (!value)
        return value.error();
    auto kind = args.parameters.oneString("kind", "");
    if (!kind)
        return kind.error();
    const auto op = args.parameters.oneString("op_name", "*");
    if (!op)
        return op.error();
    if (attribute.value().empty())
        return Error{ErrorCode::InvalidArgument, "set_attribute: attribute_name is empty"};
    std::erase_if(nodes.value(), [&](NodeId id) {
        return op.value() != "*" && graph.node(id).op() != op.value();
    });
    return Setting{std::move(nodes).value(), std::move(attribute).value(), std::move(value).value(),
                   std::move(kind).value()};
}

Result<std::string> encodedFor(const Node& node, const Setting& setting)
{
    const std::string kind =
        setting.kind.empty() ? attributeKind(node, setting.attribute) : setting.kind;
    if (kind.empty())
        return Error{ErrorCode::InvalidArgument,
                     "what kind of value " + setting.attribute +
                         " has is not known; give it, as in kind=int or kind=\"list(float)\""};
    auto encoded = attributeFromText(kind, setting.value);
    if (!encoded)
        return encoded;
    if (std::string fault = attributeFault(node, setting.attribute, encoded.value());
        !fault.empty())
        return Error{ErrorCode::InvalidArgument, std::move(fault)};
    return encoded;
}

Error about(const Node& node, const Error& error)
{
    return {error.code, std::string(node.name()) + ": " + error.message};
}

bool hasValue(const Node& node, const std::string& attribute, const std::string& encoded)
{
    return node.hasAttr(attribute) && node.attr(attribute).encoded() == encoded;
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job&)
{
    const auto setting = settingOf(*graph, args);
    if (!setting)
        return setting.error();
    Findings findings;
    for (const NodeId id : setting.value().nodes) {
        const Node& node = graph->node(id);
        const auto encoded = encodedFor(node, setting.value());
        if (!encoded)
            return about(node, encoded.error());
        const bool isSame = hasValue(node, setting.value().attribute, encoded.value());
        findings.push_back({{id}, isSame ? "it has this value already" : ""});
    }
    return findings;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    const auto setting = settingOf(*graph, args);
    if (!setting)
        return setting.error();
    GraphEdit edit(graph);
    for (const NodeId id : setting.value().nodes) {
        if (job.cancelled())
            return Error{ErrorCode::Cancelled, "the pass was cancelled"};
        const Node& node = graph->node(id);
        auto encoded = encodedFor(node, setting.value());
        if (!encoded)
            return about(node, encoded.error());
        if (hasValue(node, setting.value().attribute, encoded.value()))
            continue;
        edit.countPlaces(1);
        NodeDraft draft = NodeDraft::of(node);
        draft.setAttr(setting.value().attribute, std::move(encoded).value());
        edit.replace(id, std::move(draft));
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::setAttribute{
    .name = "set_attribute",
    .summary = "Sets an attribute of single nodes or of a scope.",
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
