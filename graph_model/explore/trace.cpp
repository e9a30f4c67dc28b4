// SPDX-License-Identifier: Apache-2.0
#include "graph_model/explore/trace.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lapidary {
namespace {

Error stopped()
{
    return cancelledError();
}

// Calls visit(neighbor) for each reader (down) or producer (up) of a node.
template <class Visit>
void forNeighbors(const Graph& graph, NodeId id, bool isDown, const TraceOptions& options,
                  Visit visit)
{
    if (isDown) {
        for (const Consumer& consumer : graph.consumers(id))
            if (options.control || !consumer.isControl())
                visit(consumer.node);
    } else {
        for (const Endpoint& from : graph.inputs(id))
            if (from.node.isValid() && (options.control || !from.isControl()))
                visit(from.node);
    }
}

Result<std::vector<bool>> reach(const Graph& graph, std::span<const NodeId> from, bool isDown,
                                const TraceOptions& options, const Job& job)
{
    std::vector<bool> seen(graph.size(), false);
    std::vector<NodeId> open;
    const auto visit = [&](NodeId id) {
        if (id.value < seen.size() && !seen[id.value]) {
            seen[id.value] = true;
            open.push_back(id);
        }
    };
    for (const NodeId id : from)
        visit(id);
    for (std::size_t step = 0; !open.empty(); ++step) {
        if (step % 4096 == 0 && job.cancelled())
            return stopped();
        const NodeId id = open.back();
        open.pop_back();
        forNeighbors(graph, id, isDown, options, visit);
    }
    return seen;
}

// Searches breadth first from a, downwards, inside `allowed`; returns nothing if b is not reached.
std::vector<NodeId> shortestPath(const Graph& graph, NodeId a, NodeId b,
                                 const std::vector<bool>& allowed, const TraceOptions& options)
{
    std::vector<NodeId> before(graph.size());
    std::vector<NodeId> queue{a};
    before[a.value] = a;
    for (std::size_t i = 0; i < queue.size() && !before[b.value].isValid(); ++i)
        forNeighbors(graph, queue[i], true, options, [&](NodeId next) {
            if (!allowed[next.value] || before[next.value].isValid())
                return;
            before[next.value] = queue[i];
            queue.push_back(next);
        });
    std::vector<NodeId> path;
    if (!before[b.value].isValid())
        return path;
    for (NodeId at = b; at != a; at = before[at.value])
        path.push_back(at);
    path.push_back(a);
    std::reverse(path.begin(), path.end());
    return path;
}

} // namespace

Result<std::vector<bool>> traceUp(const Graph& graph, std::span<const NodeId> from,
                                  const TraceOptions& options, const Job& job)
{
    return reach(graph, from, false, options, job);
}

Result<std::vector<bool>> traceDown(const Graph& graph, std::span<const NodeId> from,
                                    const TraceOptions& options, const Job& job)
{
    return reach(graph, from, true, options, job);
}

Result<PathsBetween> pathsBetween(const Graph& graph, NodeId a, NodeId b,
                                  const TraceOptions& options, const Job& job)
{
    PathsBetween answer;
    answer.nodes.assign(graph.size(), false);
    if (a.value >= graph.size() || b.value >= graph.size())
        return answer;
    for (const bool isReversed : {false, true}) {
        const NodeId source = isReversed ? b : a;
        const NodeId target = isReversed ? a : b;
        const auto down = reach(graph, std::array{source}, true, options, job);
        const auto up = reach(graph, std::array{target}, false, options, job);
        if (!down || !up)
            return stopped();
        if (!down.value()[target.value])
            continue;
        for (std::size_t i = 0; i < graph.size(); ++i)
            answer.nodes[i] = down.value()[i] && up.value()[i];
        answer.isReversed = isReversed;
        answer.shortest = shortestPath(graph, source, target, answer.nodes, options);
        break;
    }
    return answer;
}

} // namespace lapidary
