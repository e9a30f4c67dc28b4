// SPDX-License-Identifier: Apache-2.0
// rename_op
#include "transforms/edits/node_edits.h"
#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "old_op_name",
                  .type = ParameterType::String,
                  .role = ParameterRole::Op,
                  .help = "the op to rename",
                  .isRequired = true},
    ParameterSpec{.name = "new_op_name",
                  .type = ParameterType::String,
                  .role = ParameterRole::Op,
                  .help = "the new name",
                  .isRequired = true},
};

struct Renaming {
    std::string oldName;
    std::string newName;

    bool operator()(const Node& node) const { return node.op() == oldName && oldName != newName; }
};

Result<Renaming> renamingOf(const Parameters& given)
{
    Renaming renaming;
    ASSIGN_OR_RETURN(renaming.oldName, given.required("old_op_name", "rename_op"));
    ASSIGN_OR_RETURN(renaming.newName, given.required("new_op_name", "rename_op"));
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
    return editFields(graph, job, renaming, {.op = renaming.newName});
}

} // namespace

const Pass passes::renameOp{
    .name = "rename_op",
    .summary = "Changes the op of all nodes of one op.",
    .before = "y = Mul(a, b)",
    .after = "y = Multiply(a, b), with old_op_name=Mul, new_op_name=Multiply",
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
