// SPDX-License-Identifier: Apache-2.0
// rename_attribute
//
// If the node has the new name already, that value is kept and the old one removed, as in the
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
                  .help = "the new name",
                  .isRequired = true},
    ParameterSpec{.name = "op_name",
                  .type = ParameterType::String,
                  .role = ParameterRole::Op,
                  .defaultText = "*",
                  .help = "only on nodes of this op; * for all"},
};

struct Renaming {
    std::string oldName;
    std::string newName;
    std::string op;

    bool operator()(const Node& node) const
    {
        return (op == "*" || op == node.op()) && node.hasAttr(oldName) && oldName != newName;
    }
};

Result<Renaming> renamingOf(const Parameters& given)
{
    Renaming renaming;
    ASSIGN_OR_RETURN(renaming.oldName, given.required("old_attribute_name", "rename_attribute"));
    ASSIGN_OR_RETURN(renaming.newName, given.required("new_attribute_name", "rename_attribute"));
    const std::vector<std::string> ops = given.all("op_name");
    renaming.op = ops.empty() ? "*" : ops.front();
    return renaming;
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto renaming, renamingOf(args.parameters));
    return findNodes(graph, job, renaming);
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto renaming, renamingOf(args.parameters));
    return editFields(graph, job, renaming,
                      {.oldAttr = renaming.oldName, .newAttr = renaming.newName});
}

} // namespace

const Pass passes::renameAttribute{
    .name = "rename_attribute",
    .summary = "Renames an attribute on all nodes, or on those of one op.",
    .before = "y = Add(a, b) {foo=1}",
    .after = "y = Add(a, b) {bar=1}, with old_attribute_name=foo, new_attribute_name=bar",
    .declines =
        "A node that already has the new attribute keeps its value and loses the old attribute.",
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
