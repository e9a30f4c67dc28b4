// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace lapidary::layered {

// An abstract graph to be drawn in layers, without sizes: ranks and order must not change when a
// box grows.
struct Problem {
    struct Edge {
        int from = 0;
        int to = 0;
        int lane = 0;        // edges of one vertex may share a lane only if this is equal
        bool isBack = false; // known to close a loop
    };
    int vertices = 0;
    std::vector<Edge> edges;
    std::vector<int> top;     // in a rank of their own above everything, in this order
    std::vector<int> bottom;  // in a rank of their own below everything, in this order
    std::vector<int> first;   // wanted in the first rank: nothing may lead into them
    std::vector<int> last;    // wanted in the last rank
    std::vector<int> aside;   // without edges: in a column of their own beside everything else
    std::vector<int> orphans; // without edges and of no weight: in a strip below everything else
};

struct PlanOptions {
    std::int64_t orderWork = 7'000'000; // per component, some 50 ms
    std::int64_t rankWork = 7'000'000;
    int dummyFactor = 4; // dummies <= factor * (vertices + edges): see Plan::isCut
    int dummyFloor = 1000;
    int widestRank = 8;  // vertices; wider ranks are spread over several (0: never)
    int longestSkip = 0; // ranks; an edge that skips more may be a rail, see cutSkips() (0: none
                         // is)
    std::uint64_t seed = 1;
};

// One connected part in ranks. Layered vertices are numbered from 0; those that represent a vertex
// of the problem come first, dummies (lanes of long edges) follow.
struct Layers {
    struct Chain {
        int edge = 0;  // index of the problem's edge
        int first = 0; // into `path`: from the upper end down to the lower end
        int count = 0;
    };
    std::vector<int> vertices;  // problem vertex of each real layered vertex
    std::vector<int> rank;      // rank of every layered vertex
    std::vector<int> rankStart; // ranks + 1 entries, into `order`
    std::vector<int> order;     // layered vertices, rank by rank, left to right
    std::vector<Chain> chains;
    std::vector<int> path;
    bool hasPorts = false;      // holds the problem's top or bottom vertices
    bool isAside = false;       // one of the problem's vertices aside
    bool isOrphan = false;      // one of the problem's orphans
    std::int64_t crossings = 0; // crossings of lanes

    int ranks() const { return int(rankStart.size()) - 1; }
    int size() const { return int(rank.size()); }
    bool isDummy(int v) const { return v >= int(vertices.size()); }
};

struct Plan {
    std::vector<Layers> parts;          // the one with ports first, then by first vertex
    std::vector<std::uint8_t> reversed; // per edge: drawn against the flow
    std::vector<std::uint8_t> isCut;    // per edge: not drawn, too long or a loop on one vertex
};

} // namespace lapidary::layered
