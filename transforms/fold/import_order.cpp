// SPDX-License-Identifier: Apache-2.0
#include "transforms/fold/import_order.h"

#include "graph_model/ops/op_traits.h"

#include <queue>

#include <algorithm>

namespace lapidary {
namespace {

std::size_t awaited(const Graph& graph, NodeId id)
{
    const auto inputs = graph.inputs(id);
    const bool isLoop =
        isMerge(graph.node(id).op()) && std::ranges::any_of(inputs, [&](const Endpoint& from) {
            return from.node.isValid() && isNextIteration(graph.node(from.node).op());
        });
    if (!isLoop)
        return std::size_t(std::ranges::count_if(
            inputs, [](const Endpoint& from) { return from.node.isValid(); }));
    return std::size_t(std::ranges::count_if(inputs, &Endpoint::isControl)) + 1;
}

} // namespace

std::vector<NodeId> importOrder(const Graph& graph)
{
    std::vector<std::size_t> pending(graph.size());
    std::vector<bool> isMade(graph.size(), false);
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        pending[i] = awaited(graph, NodeId{i});
        if (pending[i] == 0)
            ready.push(i);
    }
    std::vector<NodeId> order;
    order.reserve(graph.size());
    while (!ready.empty()) {
        const NodeId id{ready.top()};
        ready.pop();
        order.push_back(id);
        isMade[id.value] = true;
        for (const Consumer& consumer : graph.consumers(id))
            if (pending[consumer.node.value] > 0 && --pending[consumer.node.value] == 0)
                ready.push(consumer.node.value);
    }
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        if (!isMade[i])
            order.push_back(NodeId{i});
    return order;
}

} // namespace lapidary
