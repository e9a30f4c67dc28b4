// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

namespace lapidary {

// A graph in which both sides of a condition are computed and its Merges select one of them: what
// comes out is the same, as long as the nodes of a side do nothing but compute. Loops stay, and
// those on a side that is not taken do not begin. The same pointer where there is no condition, or
// one whose Merge does not say which side is which.
Result<GraphPtr> selectBranches(const GraphPtr& graph);

} // namespace lapidary
