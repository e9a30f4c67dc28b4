// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/folding.h"

#include <vector>

namespace lapidary {

// One edge of the graph between the boxes that represent its two nodes. Boxes are numbered in the
// order in which the tree is walked, so that everything in a group is one interval.
struct BoxEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    GraphEdge edge;
    EdgeKind kind = EdgeKind::Data;
    bool isBack = false;
};

struct TreeInterval {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool contains(std::uint32_t place) const { return place >= begin && place < end; }
    bool isEmpty() const { return begin == end; }
};

// All edges between boxes, reachable from both boxes. Made once, O(nodes + edges).
struct BoxEdges {
    std::vector<std::uint32_t> placeOf;  // of each node that has a box
    std::vector<TreeInterval> ofGroup;   // the boxes inside a group
    std::vector<BoxEdge> edges;          // by `to`
    std::vector<std::uint32_t> inStart;  // into edges, for each box number
    std::vector<std::uint32_t> outgoing; // into edges, by `from`
    std::vector<std::uint32_t> outStart; // into outgoing, for each box number

    TreeInterval of(ItemId item) const;
};

BoxEdges makeBoxEdges(const Graph& graph, const ScopeTree& tree, const Folding& folding);

} // namespace lapidary
