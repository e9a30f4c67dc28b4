// SPDX-License-Identifier: Apache-2.0
// remove_attribute
//
#include "transforms/edits/node_edits.h"
#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "attribute_name",
                  .type = ParameterType::String,
                  .role = ParameterRole::Attribute,
                  .help = "the attribute to remove",
                  .isRequired = true},
    ParameterSpec{.name = "op_name",
                  .type = ParameterType::String,
                  .role = ParameterRole::Op,
                  .defaultText = "*",
                  .help = "only on nodes of this op; * for all"},
};

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto name,
                     args.parameters.required("attribute_name", "remove_attribute"));
    ASSIGN_OR_RETURN(const auto op, args.parameters.oneString("op_name", "*"));
    const auto fits = [&](const Node& node) {
        return (op == "*" || op == node.op()) && node.hasAttr(name);
    };
    return editFields(graph, job, fits, {.oldAttr = name});
}

} // namespace

const Pass passes::removeAttribute{
    .name = "remove_attribute",
    .summary = "Erases an attribute from every node, or from those of one op.",
    .before = "y = Add(a, b) {T=float, _class=...}",
    .after = "y = Add(a, b) {T=float}, with attribute_name=_class",
    .parameters = parameters,
    .run = run,
};

} // namespace lapidary
