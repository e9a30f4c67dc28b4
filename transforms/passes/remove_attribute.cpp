// remove_attribute
//
//   before:  add {T=float, _class=...}        after (attribute_name=_class):  add {T=float}
#include "transforms/pass/node_edits.h"
#include "transforms/passes/passes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "attribute_name",
                  .type = "string",
                  .help = "the attribute to remove",
                  .isRequired = true},
    ParameterSpec{.name = "op_name",
                  .type = "string",
                  .defaultText = "*",
                  .help = "only on nodes of this op; * for all"},
};

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    const auto name = args.parameters.required("attribute_name", "remove_attribute");
    if (!name)
        return name.error();
    const auto op = args.parameters.oneString("op_name", "*");
    if (!op)
        return op.error();
    const auto fits = [&](const Node& node) {
        return (op.value() == "*" || op.value() == node.op()) && node.hasAttr(name.value());
    };
    return editFields(graph, job, fits, {.oldAttr = name.value()});
}

} // namespace

const Pass passes::removeAttribute{
    .name = "remove_attribute",
    .summary = "Erases an attribute from every node, or from those of one op.",
    .parameters = parameters,
    .run = run,
};

} // namespace lapidary
