// SPDX-License-Identifier: Apache-2.0
// set_attribute
//
// Values are parsed with the type in the op registry, or else that of the present value. Not an
// original transform.
#include "transforms/attributes/attribute_text.h"
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
                  .type = ParameterType::String,
                  .role = ParameterRole::Op,
                  .defaultText = "*",
                  .help = "only nodes of this op; * for all"},
    ParameterSpec{.name = "attribute_name",
                  .type = ParameterType::String,
                  .role = ParameterRole::Attribute,
                  .help = "the attribute to set",
                  .isRequired = true},
    ParameterSpec{.name = "value",
                  .type = ParameterType::String,
                  .help = "the value, such as SAME, 0.5, true, float or 1,2,2,1",
                  .isRequired = true},
    ParameterSpec{.name = "kind",
                  .type = ParameterType::String,
                  .help = "type of the value, such as \"list(int)\", if neither the op nor the "
                          "present value tells"},
};

struct Setting {
    std::vector<NodeId> nodes;
    std::string attribute;
    std::string value;
    std::string kind; // empty: the attribute of each node decides
};

Result<Setting> settingOf(const Graph& graph, const PassArgs& args)
{
    ASSIGN_OR_RETURN(auto nodes, chosenNodes(graph, args.parameters, "set_attribute"));
    ASSIGN_OR_RETURN(auto attribute, args.parameters.required("attribute_name", "set_attribute"));
    ASSIGN_OR_RETURN(auto value, args.parameters.required("value", "set_attribute"));
    ASSIGN_OR_RETURN(auto kind, args.parameters.oneString("kind", ""));
    ASSIGN_OR_RETURN(const auto op, args.parameters.oneString("op_name", "*"));
    if (attribute.empty())
        return Error{ErrorCode::InvalidArgument, "set_attribute: attribute_name is empty"};
    std::erase_if(nodes, [&](NodeId id) { return op != "*" && graph.node(id).op() != op; });
    return Setting{std::move(nodes), std::move(attribute), std::move(value), std::move(kind)};
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
    if (std::string fault = attributeFault(node, setting.attribute, *encoded); !fault.empty())
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
    ASSIGN_OR_RETURN(const auto setting, settingOf(*graph, args));
    Findings findings;
    for (const NodeId id : setting.nodes) {
        const Node& node = graph->node(id);
        const auto encoded = encodedFor(node, setting);
        if (!encoded)
            return about(node, encoded.error());
        const bool isSame = hasValue(node, setting.attribute, *encoded);
        findings.push_back({{id}, isSame ? "it has this value already" : ""});
    }
    return findings;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto setting, settingOf(*graph, args));
    GraphEdit edit(graph);
    for (const NodeId id : setting.nodes) {
        if (job.cancelled())
            return cancelledError();
        const Node& node = graph->node(id);
        auto encoded = encodedFor(node, setting);
        if (!encoded)
            return about(node, encoded.error());
        if (hasValue(node, setting.attribute, *encoded))
            continue;
        edit.countPlaces(1);
        NodeDraft draft = NodeDraft::of(node);
        draft.setAttr(setting.attribute, *std::move(encoded));
        edit.replace(id, std::move(draft));
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::setAttribute{
    .name = "set_attribute",
    .summary = "Sets an attribute of nodes or of a whole scope.",
    .before = "p = MaxPool(x) {padding=VALID}",
    .after = "p = MaxPool(x) {padding=SAME}, with name=p, attribute_name=padding, value=SAME",
    .declines = "A value that is not of the attribute's kind, or that the op does not allow, is "
                "an error. Tensors and functions have no text.",
    .differences = notOriginal,
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
