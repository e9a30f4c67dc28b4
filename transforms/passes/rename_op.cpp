// SPDX-License-Identifier: Apache-2.0
// rename_op
//
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
                  .help = "what it is called afterwards",
                  .isRequired = true},
};

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto oldName, args.parameters.required("old_op_name", "rename_op"));
    ASSIGN_OR_RETURN(const auto newName, args.parameters.required("new_op_name", "rename_op"));
    const auto fits = [&](const Node& node) { return node.op() == oldName; };
    return editFields(graph, job, fits, {.op = newName});
}

} // namespace

const Pass passes::renameOp{
    .name = "rename_op",
    .summary = "Gives every node of one op another op.",
    .before = "y = Mul(a, b)",
    .after = "y = Multiply(a, b), with old_op_name=Mul, new_op_name=Multiply",
    .parameters = parameters,
    .run = run,
};

} // namespace lapidary
