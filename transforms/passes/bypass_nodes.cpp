// SPDX-License-Identifier: Apache-2.0
// bypass_nodes
//
// Readers of a bypassed node read its first data input and wait for its control inputs. Not an
// original transform.
#include "transforms/pass/chosen_nodes.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{nodeParameter, scopeParameter};

std::string fault(const Graph& graph, NodeId id)
{
    const auto inputs = graph.inputs(id);
    if (std::ranges::all_of(inputs, &Endpoint::isControl))
        return "it has no data input that its readers could read";
    return laterOutputReader(graph, id);
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job&)
{
    return chosenFindings(*graph, args.parameters, "bypass_nodes", fault);
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto findings, find(graph, args, job));
    GraphEdit edit(graph);
    for (const Finding& finding : findings) {
        if (job.cancelled())
            return cancelledError();
        const NodeId id = finding.nodes.front();
        if (!finding.why.empty())
            return Error{ErrorCode::InvalidArgument, std::string(graph->node(id).name()) +
                                                         " cannot be bypassed: " + finding.why};
        edit.countPlaces(1);
        edit.bypass(id, "bypassed; its consumers read its input");
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::bypassNodes{
    .name = "bypass_nodes",
    .summary = "Removes nodes and connects their consumers to their first input.",
    .before = "d = Dropout(x)\n"
              "y = Relu(d)",
    .after = "y = Relu(x), with name=d",
    .declines = "A node without data inputs, or whose other outputs are read, is an error.",
    .differences = notOriginal,
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
