// rename_attribute
//
//   before:  add {foo=1}        after (old_attribute_name=foo, new_attribute_name=bar):  add
//   {bar=1}
//
// Where the node has the new name already, that value stays and the old one goes, as in the
// original.
#include "transforms/pass/node_edits.h"
#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "old_attribute_name",
                  .type = "string",
                  .help = "the attribute to rename",
                  .isRequired = true},
    ParameterSpec{.name = "new_attribute_name",
                  .type = "string",
                  .help = "what it is called afterwards",
                  .isRequired = true},
    ParameterSpec{.name = "op_name",
                  .type = "string",
                  .defaultText = "*",
                  .help = "only on nodes of this op; * for all"},
};

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    const auto oldName = args.parameters.required("old_attribute_name", "rename_attribute");
    if (!oldName)
        return oldName.error();
    const auto newName = args.parameters.required("new_attribute_name", "rename_attribute");
    if (!newName)
        return newName.error();
    const std::vector<std::string> ops = args.parameters.all("op_name");
    const std::string op = ops.empty() ? "*" : ops.front();
    const auto fits = [&](const Node& node) {
        return (op == "*" || op == node.op()) && node.hasAttr(oldName.value()) &&
               oldName.value() != newName.value();
    };
    return editFields(graph, job, fits, {.oldAttr = oldName.value(), .newAttr = newName.value()});
}

} // namespace

const Pass passes::renameAttribute{
    .name = "rename_attribute",
    .summary = "Gives an attribute another name on every node, or on those of one op.",
    .parameters = parameters,
    .run = run,
};

} // namespace lapidary
