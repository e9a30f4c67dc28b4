// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/loop_frames.h"

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lapidary {

// A conditional of TensorFlow 1 with a scope of its own: Switch nodes let values into one of two
// sides, Merge nodes take the results of the side that ran.
struct Conditional {
    std::string_view scope; // of its Merge nodes: "bn/cond"
    NodeId predicate;
    std::string says;          // "if is_training"; "train | infer" for that of a normalization
    std::vector<NodeId> tests; // pass the predicate on, besides it: a Switch and its copies
};

// The side of a conditional on which each node is.
class Branches {
public:
    struct Side {
        std::uint32_t outer = 0; // index into sides; the first is around everything
        NodeId predicate;
        bool isTrue = false;
    };
    static constexpr std::array<std::string_view, 2> names{"false", "true"};

    std::vector<Conditional> conditionals;
    std::vector<Side> sides;
    std::vector<std::uint32_t> sideOf; // of each node
    // Switch nodes with one reader, and that reader, which gets the value.
    std::unordered_map<NodeId, NodeId> passesTo;

    // Returns the side of a node in a conditional of this predicate: "true", "false" or an empty
    // text.
    std::string_view sideName(NodeId id, NodeId predicate) const;
};
using BranchesPtr = std::shared_ptr<const Branches>;

// Finds the conditionals of the network. `parts` and `loops` may be null. Returns null if there are
// none. O(nodes + edges), plus the cost of nesting.
BranchesPtr findBranches(const Graph& graph, const NodeParts* parts, const LoopFrames* loops);

} // namespace lapidary
