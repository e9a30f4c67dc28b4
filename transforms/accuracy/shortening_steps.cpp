// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/shortening_steps.h"

#include "graph_model/graph/function.h"
#include "graph_model/graph/graph.h"
#include "graph_model/ops/op_registry.h"
#include "transforms/attributes/default_text.h"

#include <map>
#include <string>
#include <utility>

namespace lapidary {
namespace {

// By op and attribute: whether every node of the op has the default value.
using Defaults = std::map<std::pair<std::string, std::string>, bool>;

void note(const Node& node, Defaults& defaults)
{
    const OpSpec* op = findOp(node.op());
    if (op == nullptr)
        return;
    for (const AttrSpec& attr : op->attrs)
        if (attr.hasDefault && node.hasAttr(attr.name)) {
            const bool isDefault =
                node.attr(attr.name).encoded() == encodedDefault(attr.kind, attr.defaultText);
            const auto at =
                defaults.try_emplace({std::string(node.op()), std::string(attr.name)}, true).first;
            at->second = at->second && isDefault;
        }
}

} // namespace

Recipe shorteningSteps(const Graph& graph)
{
    Defaults defaults;
    // If the graph has functions, ops may be functions with attributes of their own.
    if (graph.functions() == nullptr || graph.functions()->functions.empty())
        for (const NodePtr& node : graph.nodes())
            note(*node, defaults);
    Recipe recipe;
    for (const auto& [where, isDefault] : defaults)
        if (isDefault) {
            RecipeStep step{.pass = "remove_attribute"};
            step.parameters.add("attribute_name", where.second);
            step.parameters.add("op_name", where.first);
            recipe.push_back(std::move(step));
        }
    recipe.push_back(RecipeStep{.pass = "obfuscate_names"});
    return recipe;
}

} // namespace lapidary
