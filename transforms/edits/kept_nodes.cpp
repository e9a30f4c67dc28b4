// SPDX-License-Identifier: Apache-2.0
#include "transforms/edits/kept_nodes.h"

namespace lapidary {

std::vector<bool> keptNodes(const Graph& graph, std::span<const NodeId> inputs,
                            std::span<const NodeId> outputs)
{
    std::vector<bool> isInput(graph.size(), false);
    for (const NodeId id : inputs)
        isInput[id.value] = true;
    return reachedNodes(graph.size(), {outputs.begin(), outputs.end()},
                        [&](NodeId id, std::vector<NodeId>& open) {
                            if (isInput[id.value])
                                return;
                            for (const Endpoint& from : graph.inputs(id))
                                if (from.node.isValid())
                                    open.push_back(from.node);
                        });
}

} // namespace lapidary
