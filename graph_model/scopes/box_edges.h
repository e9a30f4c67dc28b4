// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/folding.h"

#include <vector>

namespace lapidary {

// One edge of the graph between the boxes of its two nodes. Boxes are numbered in the order of a
// walk through the tree, so that the boxes inside a group are one interval.
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

// All edges between boxes, indexed by both boxes. Made once, O(nodes + edges).
struct BoxEdges {
    std::vector<std::uint32_t> placeOf;  // number of the box of each node that has one
    std::vector<TreeInterval> ofGroup;   // the boxes inside a group
    std::vector<BoxEdge> edges;          // sorted by `to`
    std::vector<std::uint32_t> inStart;  // index of the first in `edges`, for each box number
    std::vector<std::uint32_t> outgoing; // indices into edges, sorted by `from`
    std::vector<std::uint32_t> outStart; // index of the first in `outgoing`, for each box number

    TreeInterval of(ItemId item) const;
};

BoxEdges makeBoxEdges(const Graph& graph, const ScopeTree& tree, const Folding& folding);

} // namespace lapidary
