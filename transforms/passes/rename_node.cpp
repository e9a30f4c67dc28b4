// SPDX-License-Identifier: Apache-2.0
// rename_node
//
// Inputs of other nodes and colocations are changed, too. Not an original transform.
#include "transforms/pass/chosen_nodes.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "old_name",
                  .type = ParameterType::String,
                  .role = ParameterRole::Target,
                  .help = "the node to rename",
                  .isRequired = true},
    ParameterSpec{.name = "new_name",
                  .type = ParameterType::String,
                  .role = ParameterRole::NewName,
                  .help = "the new name",
                  .isRequired = true},
};

bool isLegalName(std::string_view name)
{
    constexpr std::string_view first =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.";
    return !name.empty() && first.find(name.front()) != std::string_view::npos &&
           std::ranges::all_of(name, [&](char c) {
               return first.find(c) != std::string_view::npos || c == '_' || c == '-' || c == '/';
           });
}

struct Renaming {
    NodeId node;
    std::string name;
};

Result<Renaming> renamingOf(const Graph& graph, const PassArgs& args)
{
    ASSIGN_OR_RETURN(const auto oldName, args.parameters.required("old_name", "rename_node"));
    ASSIGN_OR_RETURN(auto newName, args.parameters.required("new_name", "rename_node"));
    ASSIGN_OR_RETURN(const auto id, namedNode(graph, oldName));
    if (!isLegalName(newName))
        return Error{
            ErrorCode::InvalidArgument,
            "\"" + newName +
                "\" is not a valid node name: start with a letter, digit or ., then also _ - /"};
    if (const NodeId taken = graph.find(newName); taken.isValid() && taken != id)
        return Error{ErrorCode::InvalidArgument, "another node is already named " + newName};
    return Renaming{id, std::move(newName)};
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job&)
{
    ASSIGN_OR_RETURN(const auto renaming, renamingOf(*graph, args));
    if (graph->node(renaming.node).name() == renaming.name)
        return Findings{};
    return findingsOf({renaming.node});
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job&)
{
    ASSIGN_OR_RETURN(const auto renaming, renamingOf(*graph, args));
    GraphEdit edit(graph);
    if (graph->node(renaming.node).name() != renaming.name) {
        edit.countPlaces(1);
        edit.rename(renaming.node, renaming.name);
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::renameNode{
    .name = "rename_node",
    .summary = "Renames a node and updates everything that refers to it.",
    .before = "y = Relu(x)",
    .after = "y = Relu(image), with old_name=x, new_name=image",
    .declines = "A name that is taken, or that TensorFlow refuses, is an error. Colocations "
                "follow.",
    .differences = notOriginal,
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
