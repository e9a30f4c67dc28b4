// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph_edit.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace lapidary {

// One step between the original graph and the result of a recipe.
struct LineageHop {
    const Graph* before = nullptr;
    const Graph* after = nullptr;
    const Lineage* lineage = nullptr;
};

// The nodes from which a node was made.
struct NodePast {
    struct Change {
        std::size_t hop = 0;
        NodeId node;                  // after the hop
        std::vector<NodeId> origins;  // before it; empty: the hop added the node
        std::vector<NodeId> replaced; // before it: removed ones whose work the node carries on
        bool isRenamed = false;       // it has one origin, of another name
    };
    std::vector<Change> changes;   // without hops that left it as it was; the latest first
    std::vector<NodeId> originals; // in the graph before the first hop
};
// `node` is of the graph after the first `hops` hops.
NodePast pastOf(std::span<const LineageHop> way, std::size_t hops, NodeId node);

// The nodes that a node became.
struct NodeFuture {
    struct Fate { // of the node, or of one that carried on its work
        std::size_t hop = 0;
        NodeId node;                    // before the hop
        std::string reason;             // empty: it was renamed
        std::vector<NodeId> successors; // after the hop; empty: nothing carries on its work
    };
    std::vector<Fate> fates;  // in the order of the hops
    std::vector<NodeId> last; // nodes that carry on its work after the last hop
};
NodeFuture futureOf(std::span<const LineageHop> way, std::size_t hops, NodeId node);

} // namespace lapidary
