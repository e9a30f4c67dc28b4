// delete_nodes
//
//   before:  y = Relu(x), loss = Loss(y)        after (name=loss):  y = Relu(x)
//
// Nodes that only waited for a deleted one wait no longer. One that reads its data is an error, or
// goes too with with_readers, and so on down to the ends of the graph. Not an original transform.
#include "transforms/pass/chosen_nodes.h"
#include "transforms/passes/passes.h"
#include "transforms/strip/kept_nodes.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    nodeParameter,
    scopeParameter,
    ParameterSpec{.name = "with_readers",
                  .type = "bool",
                  .defaultText = "false",
                  .help = "delete everything that is computed from them, too"},
};

// One flag a node.
Result<std::vector<bool>> doomedNodes(const Graph& graph, const PassArgs& args)
{
    const auto chosen = chosenNodes(graph, args.parameters, "delete_nodes");
    if (!chosen)
        return chosen.error();
    const auto withReaders = args.parameters.oneBool("with_readers", false);
    if (!withReaders)
        return withReaders.error();
    std::vector<bool> goes =
        reachedNodes(graph.size(), chosen.value(), [&](NodeId id, std::vector<NodeId>& open) {
            for (const Consumer& reader : graph.consumers(id))
                if (withReaders.value() && !reader.isControl())
                    open.push_back(reader.node);
        });
    for (const NodeId id : chosen.value())
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
    const auto goes = doomedNodes(*graph, args);
    if (!goes)
        return goes.error();
    Findings findings;
    for (std::uint32_t i = 0; i < graph->size(); ++i)
        if (goes.value()[i])
            findings.push_back({{NodeId{i}}, ""});
    return findings;
}

// The inputs of a node without those that wait for what goes; nothing where all of them stay.
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
    const auto goes = doomedNodes(*graph, args);
    if (!goes)
        return goes.error();
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return Error{ErrorCode::Cancelled, "the pass was cancelled"};
        const NodeId id{i};
        if (goes.value()[i]) {
            edit.countPlaces(1);
            edit.remove(id, "deleted");
        } else if (auto inputs = remainingInputs(*graph, id, goes.value())) {
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
    .summary = "Deletes single nodes or a scope.",
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
