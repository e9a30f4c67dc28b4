// SPDX-License-Identifier: Apache-2.0
#include "runner/setup/nodes_behind.h"

namespace lapidary {

std::vector<bool> nodesBehind(const Graph& graph, std::span<const std::string> wanted,
                              const std::set<std::string>& fed)
{
    std::vector<bool> isNeeded(graph.size(), false);
    std::vector<NodeId> open;
    const auto need = [&](NodeId id) {
        if (id.isValid() && !isNeeded[id.value]) {
            isNeeded[id.value] = true;
            open.push_back(id);
        }
    };
    for (const std::string& name : wanted)
        need(graph.find(parseInput(name).node));
    while (!open.empty()) {
        const NodeId at = open.back();
        open.pop_back();
        for (const Endpoint& input : graph.inputs(at))
            if (input.node.isValid() &&
                (input.isControl() || !fed.contains(tensorName(graph, input))))
                need(input.node);
    }
    return isNeeded;
}

} // namespace lapidary
