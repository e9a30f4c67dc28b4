// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace lapidary {

// A while loop of TensorFlow 1 that has no other loop inside.
struct LoopFrame {
    struct Variable {
        NodeId merge;
        Endpoint start; // the initial value, before its Enter
        Endpoint next;  // the value that NextIteration passes on
    };
    NodeId condition; // LoopCond
    std::vector<Variable> variables;
    std::vector<NodeId> nodes; // of the frame, producers first; its Exits are not among them
    std::vector<NodeId> exits;
    std::vector<bool> isInside;                                // by node of the graph
    std::vector<bool> isOwnExit;                               // by node of the graph
    std::unordered_map<std::uint32_t, std::size_t> variableAt; // by its Merge

    // Returns null if the node is not the Merge of a variable.
    const Variable* variableOf(NodeId merge) const
    {
        const auto found = variableAt.find(merge.value);
        return found == variableAt.end() ? nullptr : &variables[found->second];
    }
};

// The innermost loop; nothing if all remaining loops have their LoopCond in `kept`. `isOdd`: a loop
// has another form.
struct FoundLoop {
    std::optional<LoopFrame> frame;
    bool isOdd = false;
};
FoundLoop findInnermostLoop(const Graph& graph, const std::set<std::string>& kept = {});

} // namespace lapidary
