// SPDX-License-Identifier: Apache-2.0
#include "graph_model/interface/untrained_results.h"

#include "graph_model/graph/node_flags.h"
#include "graph_model/interface/flow.h"
#include "graph_model/interface/output_signs.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <map>
#include <string>

namespace lapidary {
namespace {

// Returns the condition of the loop that gathers a value in an array, whatever its form; invalid if
// none does.
NodeId gatheringLoop(const Graph& graph, NodeId id)
{
    constexpr int farEnough = 4;
    for (int hop = 0; hop < farEnough && id.isValid(); ++hop) {
        const std::string_view op = graph.node(id).op();
        if (gathersArray(op))
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

// Returns whether no node computes with a value; it may only be asked for its size.
bool isUnused(const Graph& graph, NodeId id)
{
    return std::ranges::all_of(graph.consumers(id), [&](const Consumer& reader) {
        return reader.isControl() || asksForSize(graph.node(reader.node).op());
    });
}

// Returns whether a value is only another form of a product, so that no op concludes it.
bool isPlain(const Graph& graph, NodeId id)
{
    constexpr int farEnough = 6;
    for (int hop = 0; hop < farEnough && id.isValid(); ++hop) {
        const std::string_view op = graph.node(id).op();
        if (!isReshapingOp(op))
            return opFamily(op) == OpFamily::HeavyMaths;
        id = firstProducer(graph, id);
    }
    return false;
}

} // namespace

void weighLeftovers(const Graph& graph, const NodeParts& parts, std::vector<Weighed>& all)
{
    constexpr std::size_t several = 4;
    const auto isOfNetwork = [&](const Weighed& weighed) {
        return parts.of[weighed.candidate.node.value] == Part::Network;
    };
    const auto isJudged = [&](const Weighed& weighed) {
        return isOfNetwork(weighed) &&
               std::ranges::any_of(
                   graph.consumers(weighed.candidate.node), [&](const Consumer& reader) {
                       return !reader.isControl() && parts.of[reader.node.value] == Part::Loss;
                   });
    };
    if (parts.count(Part::Gradients) == 0 || std::ranges::none_of(all, isJudged))
        return;
    std::map<std::string_view, std::vector<Weighed*>> unused; // by op
    for (Weighed& weighed : all)
        if (const NodeId id = weighed.candidate.node;
            isOfNetwork(weighed) && isUnused(graph, id) && isPlain(graph, id))
            unused[graph.node(id).op()].push_back(&weighed);
    for (const auto& [op, leftovers] : unused)
        for (Weighed* weighed : leftovers)
            if (leftovers.size() >= several)
                weighed->weigh(-2.5, "one of " + std::to_string(leftovers.size()) +
                                         " like it that are left unused");
}

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
