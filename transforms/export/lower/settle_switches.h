// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

namespace lapidary {

// Returns a graph in which conditions with a constant predicate are settled: readers of a Switch
// read its input, and a Merge with one side left is an Identity of it. Dead nodes then have no
// readers. Loops are kept, as is a Merge whose value_index is read. The same pointer if there is
// nothing to do.
Result<GraphPtr> settleSwitches(const GraphPtr& graph);

} // namespace lapidary
