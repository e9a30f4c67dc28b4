// SPDX-License-Identifier: Apache-2.0
#include "runner/profile/cost_profile.h"

#include "runner/cost/flops.h"
#include "runner/cost/graph_cost.h"

#include <utility>

namespace lapidary {

Result<NodeProfilePtr> costProfile(const Graph& graph, const InferredShapes& shapes, const Job& job)
{
    ASSIGN_OR_RETURN(const GraphCost cost, costOf(graph, shapes, job));
    NodeProfile profile;
    profile.source = "estimate";
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const NodeCost& of = cost.nodes[i];
        if (!of.isCertain || (of.flops <= 0 && of.outputBytes <= 0))
            continue;
        const Node& node = graph.node(NodeId{i});
        ProfiledNode row;
        row.name = node.name();
        row.op = node.op();
        row.order = std::int64_t(profile.nodes.size()) + 1;
        row.calls = 1;
        row.bytes = std::uint64_t(of.outputBytes);
        if (hasFlops(row.op))
            row.flops = of.flops;
        profile.nodes.push_back(std::move(row));
    }
    return std::make_shared<const NodeProfile>(std::move(profile));
}

} // namespace lapidary
