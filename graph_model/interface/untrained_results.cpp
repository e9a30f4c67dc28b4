// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/untrained_results.h"

#include "graph_model/graph/node_flags.h"
#include "graph_model/interface/flow.h"
#include "graph_model/interface/output_signs.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns the condition of the loop that gathers a value in an array, whatever its form; invalid if
// none does.
NodeId gatheringLoop(const Graph& graph, NodeId id)
{
    constexpr int farEnough = 4;
    for (int hop = 0; hop < farEnough && id.isValid(); ++hop) {
        const std::string_view op = graph.node(id).op();
        if (op.starts_with("TensorArrayGather") || op.starts_with("TensorArrayConcat"))
            break;
        if (!isReshapingOp(op) && !isPassThrough(op))
            return {};
        id = firstProducer(graph, id);
    }
    const auto inputs = id.isValid() ? graph.inputs(id) : std::span<const Endpoint>();
    for (const Endpoint& flow : inputs) {
        if (!flow.node.isValid() || !isExit(graph.node(flow.node).op()))
            continue;
        const NodeId leaving = firstProducer(graph, flow.node);
        const auto switched = leaving.isValid() ? graph.inputs(leaving) : inputs.first(0);
        return switched.size() > 1 ? switched[1].node : NodeId{};
    }
    return {};
}

} // namespace

void weighUntrainedResults(const Graph& graph, const NodeRoles& roles, std::vector<Weighed>& all)
{
    const auto best = std::ranges::max_element(all, {}, &Weighed::points);
    if (best == all.end() || !roles.compared[best->candidate.node.value])
        return;
    constexpr double behind = 0.5;
    const double wanted = best->points - behind;
    NodeFlags before(graph.size(), false);
    before[best->candidate.node.value] = true;
    flowToInputs(graph, before, [](NodeId) { return true; });
    for (Weighed& weighed : all) {
        const NodeId id = weighed.candidate.node;
        const NodeId loop = gatheringLoop(graph, id);
        if (loop.isValid() && !before[loop.value] && weighed.points > 0 &&
            weighed.points < wanted &&
            std::ranges::all_of(graph.consumers(id), &Consumer::isControl))
            weighed.weigh(wanted - weighed.points,
                          "gathered by another loop than the trained result");
    }
}

} // namespace lapidary
