// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

namespace lapidary {

// Returns a graph in which both sides of a condition are computed and its Merges select one of
// them: the result is the same, as long as the nodes of a side only compute. Loops are kept, and
// those on a side that is not taken do not begin. The same pointer if there is no condition, or one
// whose Merge does not show which side is which.
Result<GraphPtr> selectBranches(const GraphPtr& graph);

} // namespace lapidary
