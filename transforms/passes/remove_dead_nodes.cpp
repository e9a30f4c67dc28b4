// SPDX-License-Identifier: Apache-2.0
// remove_dead_nodes
//
// Keeps what the outputs need, and the inputs; changes no node. Without outputs nothing is dead.
// Not an original transform: strip_unused_nodes also makes placeholders of the inputs.
#include "transforms/edits/kept_nodes.h"
#include "transforms/pass/chosen_nodes.h"
#include "transforms/pass/interface_names.h"
#include "transforms/passes/passes.h"

namespace lapidary {
namespace {

Result<std::vector<NodeId>> deadNodes(const Graph& graph, const PassArgs& args, const Job& job)
{
    std::vector<NodeId> needed;
    for (const std::string& name : interfaceNodes(args))
        if (const NodeId id = graph.find(name); id.isValid())
            needed.push_back(id);
    for (const std::string& output : args.outputs)
        if (!graph.find(nodeOfInput(output)).isValid())
            return Error{ErrorCode::InvalidArgument, "the graph has no node " +
                                                         std::string(nodeOfInput(output)) +
                                                         ", which is given as an output"};
    std::vector<NodeId> dead;
    if (args.outputs.empty())
        return dead;
    const std::vector<bool> kept = keptNodes(graph, {}, needed);
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        if (!kept[i])
            dead.push_back(NodeId{i});
    }
    return dead;
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto dead, deadNodes(*graph, args, job));
    return findingsOf(dead);
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto dead, deadNodes(*graph, args, job));
    GraphEdit edit(graph);
    for (const NodeId id : dead)
        edit.remove(id, "no output needs it");
    return std::move(edit).finish();
}

} // namespace

const Pass passes::removeDeadNodes{
    .name = "remove_dead_nodes",
    .summary = "Removes the nodes that no output needs.",
    .before = "n = Net(x)\n"
              "y = Relu(n)\n"
              "loss = Loss(n)",
    .after = "n = Net(x)\n"
             "y = Relu(n), with output y",
    .declines = "Inputs stay. Without outputs nothing is dead.",
    .differences = notOriginal,
    .find = find,
    .run = run,
};

} // namespace lapidary
