#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph_edit.h"

#include <vector>

namespace lapidary {

// Which node of one graph is which of another; invalid ids have no counterpart.
struct Correspondence {
    std::vector<NodeId> after;  // for each node of the graph before
    std::vector<NodeId> before; // for each node of the graph after
};

// By lineage, where there is one (else nodes that swapped their names), then by name and op, then
// by structure: what a node computes and who reads it, starting from what is known already (a
// renamed node, scope or whole graph); then by name alone, which leaves nodes whose op was changed.
// Not touched by the order of the nodes.
//
// Each round hashes what stands above and below every node that is not known yet, pairs hashes that
// occur once on each side, and follows the edges of known pairs to the neighbours that can only be
// each other. O(rounds * (nodes + edges)); two rounds are common, 16 the limit.
Result<Correspondence> correspond(const Graph& before, const Graph& after, const Lineage* lineage,
                                  const Job& job);

} // namespace lapidary
