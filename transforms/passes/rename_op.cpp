// rename_op
//
//   before:  y = Mul(a, b)        after (old_op_name=Mul, new_op_name=Multiply):  y = Multiply(a,
//   b)
#include "transforms/pass/node_edits.h"
#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{
        .name = "old_op_name", .type = "string", .help = "the op to rename", .isRequired = true},
    ParameterSpec{.name = "new_op_name",
                  .type = "string",
                  .help = "what it is called afterwards",
                  .isRequired = true},
};

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    const auto oldName = args.parameters.required("old_op_name", "rename_op");
    if (!oldName)
        return oldName.error();
    const auto newName = args.parameters.required("new_op_name", "rename_op");
    if (!newName)
        return newName.error();
    const auto fits = [&](const Node& node) { return node.op() == oldName.value(); };
    return editFields(graph, job, fits, {.op = newName.value()});
}

} // namespace

const Pass passes::renameOp{
    .name = "rename_op",
    .summary = "Gives every node of one op another op.",
    .parameters = parameters,
    .run = run,
};

} // namespace lapidary
