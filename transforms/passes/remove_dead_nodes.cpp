// remove_dead_nodes
//
//   before:  x -> net -> y, net -> loss        after (output y):  x -> net -> y
//
// Keeps what the outputs need, and the inputs; changes no node. Without outputs nothing is dead.
// Not an original transform: strip_unused_nodes also makes placeholders of the inputs.
#include "transforms/pass/interface_names.h"
#include "transforms/passes/passes.h"
#include "transforms/strip/kept_nodes.h"

namespace lapidary {
namespace {

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    GraphEdit edit(graph);
    std::vector<NodeId> needed;
    for (const std::string& name : interfaceNodes(args))
        if (const NodeId id = graph->find(name); id.isValid())
            needed.push_back(id);
    for (const std::string& output : args.outputs)
        if (!graph->find(nodeOfInput(output)).isValid())
            return Error{ErrorCode::InvalidArgument, "the graph has no node " +
                                                         std::string(nodeOfInput(output)) +
                                                         ", which is given as an output"};
    if (args.outputs.empty())
        return std::move(edit).finish();
    const std::vector<bool> kept = keptNodes(*graph, {}, needed);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return Error{ErrorCode::Cancelled, "the pass was cancelled"};
        if (!kept[i])
            edit.remove(NodeId{i}, "no output needs it");
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::removeDeadNodes{
    .name = "remove_dead_nodes",
    .summary = "Drops what no output needs and leaves the rest as it is.",
    .run = run,
};

} // namespace lapidary
