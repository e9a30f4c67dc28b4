// SPDX-License-Identifier: Apache-2.0
// rename_attribute
//
// Where the node has the new name already, that value stays and the old one goes, as in the
// original.
#include "transforms/edits/node_edits.h"
#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "old_attribute_name",
                  .type = ParameterType::String,
                  .role = ParameterRole::Attribute,
                  .help = "the attribute to rename",
                  .isRequired = true},
    ParameterSpec{.name = "new_attribute_name",
                  .type = ParameterType::String,
                  .role = ParameterRole::NewName,
                  .help = "what it is called afterwards",
                  .isRequired = true},
    ParameterSpec{.name = "op_name",
                  .type = ParameterType::String,
                  .role = ParameterRole::Op,
                  .defaultText = "*",
                  .help = "only on nodes of this op; * for all"},
};

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto oldName,
                     args.parameters.required("old_attribute_name", "rename_attribute"));
    ASSIGN_OR_RETURN(const auto newName,
                     args.parameters.required("new_attribute_name", "rename_attribute"));
    const std::vector<std::string> ops = args.parameters.all("op_name");
    const std::string op = ops.empty() ? "*" : ops.front();
    const auto fits = [&](const Node& node) {
        return (op == "*" || op == node.op()) && node.hasAttr(oldName) && oldName != newName;
    };
    return editFields(graph, job, fits, {.oldAttr = oldName, .newAttr = newName});
}

} // namespace

const Pass passes::renameAttribute{
    .name = "rename_attribute",
    .summary = "Gives an attribute another name on every node, or on those of one op.",
    .before = "y = Add(a, b) {foo=1}",
    .after = "y = Add(a, b) {bar=1}, with old_attribute_name=foo, new_attribute_name=bar",
    .declines = "Where the node has the new name already, that value stays and the old one goes.",
    .parameters = parameters,
    .run = run,
};

} // namespace lapidary
