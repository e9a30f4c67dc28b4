#include "transforms/strip/kept_nodes.h"

namespace lapidary {

std::vector<bool> keptNodes(const Graph& graph, std::span<const NodeId> inputs,
                            std::span<const NodeId> outputs)
{
    std::vector<bool> kept(graph.size(), false);
    std::vector<bool> isInput(graph.size(), false);
    for (const NodeId id : inputs)
        isInput[id.value] = true;
    std::vector<NodeId> open(outputs.begin(), outputs.end());
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (kept[id.value])
            continue;
        kept[id.value] = true;
        if (isInput[id.value])
            continue;
        for (const Endpoint& from : graph.inputs(id))
            if (from.node.isValid() && !kept[from.node.value])
                open.push_back(from.node);
    }
    return kept;
}

} // namespace lapidary
