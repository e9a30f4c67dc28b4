// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/diff/graph_diff.h"

namespace lapidary {

struct DiffedGraphs {
    const Graph& before;
    const Graph& after;
    const std::vector<NodeId>& counterparts;
};

// Adds the differences in the device, the attributes and the constants of one node.
Status compareValues(const DiffedGraphs& graphs, NodePair pair, const Job& job, GraphDiff& diff);

} // namespace lapidary
