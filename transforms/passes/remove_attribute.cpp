// SPDX-License-Identifier: Apache-2.0
// remove_attribute
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

struct Removal {
    std::string name;
    std::string op;

    bool operator()(const Node& node) const
    {
        return (op == "*" || op == node.op()) && node.hasAttr(name);
    }
};

Result<Removal> removalOf(const Parameters& given)
{
    Removal removal;
    ASSIGN_OR_RETURN(removal.name, given.required("attribute_name", "remove_attribute"));
    ASSIGN_OR_RETURN(removal.op, given.oneString("op_name", "*"));
    return removal;
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto removal, removalOf(args.parameters));
    return findNodes(graph, job, removal);
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto removal, removalOf(args.parameters));
    return editFields(graph, job, removal, {.oldAttr = removal.name});
}

} // namespace

const Pass passes::removeAttribute{
    .name = "remove_attribute",
    .summary = "Removes an attribute from all nodes, or from those of one op.",
    .before = "y = Add(a, b) {T=float, _class=...}",
    .after = "y = Add(a, b) {T=float}, with attribute_name=_class",
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
