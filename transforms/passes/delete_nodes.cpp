// SPDX-License-Identifier: Apache-2.0
// delete_nodes
//
// Nodes that only waited for a deleted one wait no longer. One that reads its data is an error, or
// with the parameter with_readers is deleted, too, and so on down to the outputs of the graph. Not
// an original transform.
#include "transforms/edits/kept_nodes.h"
#include "transforms/pass/chosen_nodes.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    nodeParameter,
    scopeParameter,
    ParameterSpec{.name = "with_readers",
                  .type = ParameterType::Bool,
                  .defaultText = "false",
                  .help = "also delete every node that depends on them"},
};

// Flags the nodes to delete.
Result<std::vector<bool>> doomedNodes(const Graph& graph, const PassArgs& args)
{
    ASSIGN_OR_RETURN(const auto chosen, chosenNodes(graph, args.parameters, "delete_nodes"));
    ASSIGN_OR_RETURN(const auto withReaders, args.parameters.oneBool("with_readers", false));
    std::vector<bool> goes =
        reachedNodes(graph.size(), chosen, [&](NodeId id, std::vector<NodeId>& open) {
            for (const Consumer& reader : graph.consumers(id))
                if (withReaders && !reader.isControl())
                    open.push_back(reader.node);
        });
    for (const NodeId id : chosen)
        for (const Consumer& reader : graph.consumers(id))
            if (!reader.isControl() && !goes[reader.node.value])
                return Error{ErrorCode::InvalidArgument,
                             std::string(graph.node(id).name()) + " is read by " +
                                 std::string(graph.node(reader.node).name()) +
                                 "; bypass it, replace it by a placeholder, or delete what reads "
                                 "it with with_readers=true"};
    return goes;
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job&)
{
    ASSIGN_OR_RETURN(const auto goes, doomedNodes(*graph, args));
    Findings findings;
    for (std::uint32_t i = 0; i < graph->size(); ++i)
        if (goes[i])
            findings.push_back({{NodeId{i}}, ""});
    return findings;
}

// Returns the inputs of a node without control inputs from deleted nodes; nothing if all of them
// stay.
std::optional<std::vector<std::string>> remainingInputs(const Graph& graph, NodeId id,
                                                        const std::vector<bool>& goes)
{
    std::vector<std::string> kept;
    const auto ends = graph.inputs(id);
    const auto inputs = graph.node(id).inputs();
    for (std::size_t slot = 0; slot < inputs.size(); ++slot)
        if (!ends[slot].node.isValid() || !goes[ends[slot].node.value])
            kept.emplace_back(inputs[slot].text);
    return kept.size() == inputs.size() ? std::nullopt : std::optional(std::move(kept));
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto goes, doomedNodes(*graph, args));
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        const NodeId id{i};
        if (goes[i]) {
            edit.countPlaces(1);
            edit.remove(id, "deleted");
        } else if (auto inputs = remainingInputs(*graph, id, goes)) {
            NodeDraft draft = NodeDraft::of(graph->node(id));
            draft.inputs = std::move(*inputs);
            edit.replace(id, std::move(draft));
        }
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::deleteNodes{
    .name = "delete_nodes",
    .summary = "Deletes nodes or a whole scope.",
    .before = "y = Net(x)\n"
              "loss = Loss(y)",
    .after = "y = Net(x), with name=loss",
    .declines = "A node with consumers is an error that names one, unless with_readers=true "
                "deletes those too. Control edges from deleted nodes are dropped.",
    .differences = notOriginal,
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
