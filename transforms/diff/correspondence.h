// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph_edit.h"

#include <vector>

namespace lapidary {

// The counterpart of each node in another graph; an invalid ID means none.
struct Correspondence {
    std::vector<NodeId> after;  // for each node of the graph before
    std::vector<NodeId> before; // for each node of the graph after
};

// Matches by lineage if there is one (otherwise nodes that exchanged names), then by name and op,
// then by structure: what a node computes and which nodes read it, starting from known pairs (a
// renamed node, scope or whole graph); then by name alone, which leaves nodes whose op was changed.
// The order of the nodes has no influence. Each round hashes everything above and below every node
// without counterpart, pairs hashes that occur once on each side, and follows the edges of known
// pairs to neighbors without alternatives. O(rounds * (nodes + edges)); two rounds are common, 16
// the limit.
Result<Correspondence> correspond(const Graph& before, const Graph& after, const Lineage* lineage,
                                  const Job& job);

} // namespace lapidary
