// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

namespace lapidary {

// A graph in which conditions whose predicate is a constant are settled: what reads a Switch reads
// what the Switch reads, and a Merge with one side left is an Identity of it. What is then dead is
// read by nobody. Loops stay, as does a Merge whose value_index is read. The same pointer where
// there is nothing to do.
Result<GraphPtr> settleSwitches(const GraphPtr& graph);

} // namespace lapidary
