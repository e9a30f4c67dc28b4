// SPDX-License-Identifier: Apache-2.0
#include "views/strip/network_path.h"

#include "graph_model/explore/trace.h"

#include <algorithm>

namespace lapidary {
namespace {

using Flags = std::vector<bool>;

Flags both(const Flags& a, const Flags& b)
{
    Flags result(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        result[i] = a[i] && b[i];
    return result;
}

Result<Flags> nodesOnPath(const Graph& graph, std::span<const NodeId> inputs,
                          std::span<const NodeId> outputs, const NodeParts* parts, const Job& job)
{
    Flags network(graph.size(), true);
    for (std::size_t i = 0; parts != nullptr && i < graph.size(); ++i)
        network[i] = parts->of[i] == Part::Network;
    if (outputs.empty())
        return network;
    const TraceOptions dataOnly{.control = false};
    ASSIGN_OR_RETURN(Flags needed, traceUp(graph, outputs, dataOnly, job));
    needed = both(needed, network);
    ASSIGN_OR_RETURN(const Flags fed, traceDown(graph, inputs, dataOnly, job));
    Flags between = both(needed, fed);
    return std::find(between.begin(), between.end(), true) != between.end() ? between : needed;
}

} // namespace

Result<NetworkPath> findNetworkPath(const Graph& graph, std::span<const NodeId> inputs,
                                    std::span<const NodeId> outputs, const NodeParts* parts,
                                    const Job& job)
{
    ASSIGN_OR_RETURN(const Flags isOnPath, nodesOnPath(graph, inputs, outputs, parts, job));
    NetworkPath path{std::vector<std::uint32_t>(graph.size())};
    for (const NodeId id : topologicalOrder(graph)) {
        if (!isOnPath[id.value])
            continue;
        std::uint32_t before = 0;
        for (const Endpoint& from : graph.inputs(id))
            if (from.node.isValid() && !from.isControl())
                before = std::max(before, path.depths[from.node.value]);
        path.depths[id.value] = before + 1;
    }
    return path;
}

} // namespace lapidary
