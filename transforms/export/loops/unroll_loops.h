// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <set>
#include <string>

namespace lapidary {

// Returns a graph in which each while loop whose number of iterations does not depend on the
// inputs, or is bounded, is unrolled, one copy of its body after the other ("NODE/step3"). If it is
// only bounded, each step checks whether the loop continues. Others are kept, as are those that
// would make more than 200,000 nodes, and those whose LoopCond is in `kept`. The same pointer if
// nothing was unrolled.
Result<GraphPtr> unrollLoops(const GraphPtr& graph, const std::set<std::string>& kept,
                             const Job& job);

} // namespace lapidary
