// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/layered/csr.h"
#include "views/layout/layered/problem.h"

#include <cstdint>
#include <vector>

namespace lapidary::layered {

// A connected part in which every edge runs from one rank to the next: long edges go through
// dummies. Vertices below `real` represent vertices of the problem.
struct LayerGraph {
    // A path through a row of dummies: one or more edges between the same two vertices.
    struct Chain {
        int upper = 0;
        int lower = 0;
        int lane = 0;           // negative: shares no lane
        std::vector<int> edges; // edges of the problem
        std::vector<int> path;  // vertices from upper to lower, both included
    };
    int real = 0;
    std::vector<int> rank;
    std::vector<int> rankStart; // ranks + 1 entries
    Lists up;                   // neighbors in the rank above, in the order of the chains
    Lists down;
    std::vector<Chain> chains;
    bool fixedTop = false;    // the first rank keeps the order of its numbers
    bool fixedBottom = false; // so does the last

    int ranks() const { return int(rankStart.size()) - 1; }
    int size() const { return int(rank.size()); }
    int rankSize(int r) const { return rankStart[r + 1] - rankStart[r]; }
    bool isFixed(int r) const { return (fixedTop && r == 0) || (fixedBottom && r == ranks() - 1); }
};

// Return the number of dummies when every chain has its own, and when chains of one source share
// theirs.
struct DummyCount {
    std::int64_t own = 0;
    std::int64_t shared = 0;
};
DummyCount countDummies(const std::vector<LayerGraph::Chain>& chains, const std::vector<int>& rank);

// Adds the dummies to `graph`, which has real, rank (of the real vertices) and chains without
// paths.
void addDummies(LayerGraph& graph, bool shared);

// Fills up, down and rankStart from the paths.
void connect(LayerGraph& graph);

// Merges dummies that are side by side and come from the same vertex into one lane, from the top
// down. `order` is changed to the new numbers. Never adds a crossing.
LayerGraph mergeLanes(const LayerGraph& graph, std::vector<int>& order);

} // namespace lapidary::layered
