// bypass_nodes
//
//   before:  d = Dropout(x), y = Relu(d)        after (name=d):  y = Relu(x)
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
    for (const Consumer& reader : graph.consumers(id))
        if (reader.port > 0)
            return "its output " + std::to_string(reader.port) + " is read by " +
                   std::string(graph.node(reader.node).name());
    return "";
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job&)
{
    const auto nodes = chosenNodes(*graph, args.parameters, "bypass_nodes");
    if (!nodes)
        return nodes.error();
    Findings findings;
    for (const NodeId id : nodes.value())
        findings.push_back({{id}, fault(*graph, id)});
    return findings;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    const auto findings = find(graph, args, job);
    if (!findings)
        return findings.error();
    GraphEdit edit(graph);
    for (const Finding& finding : findings.value()) {
        if (job.cancelled())
            return Error{ErrorCode::Cancelled, "the pass was cancelled"};
        const NodeId id = finding.nodes.front();
        if (!finding.why.empty())
            return Error{ErrorCode::InvalidArgument, std::string(graph->node(id).name()) +
                                                         " cannot be bypassed: " + finding.why};
        edit.countPlaces(1);
        edit.bypass(id, "bypassed; its readers read what it read");
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::bypassNodes{
    .name = "bypass_nodes",
    .summary = "Takes single nodes out of the way: their readers read what they read.",
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
