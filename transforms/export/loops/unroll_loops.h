// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <set>
#include <string>

namespace lapidary {

// A graph in which each while loop is written out, one copy of its body after the other
// ("NODE/step3"), whose number of iterations does not depend on the inputs, or is bounded whatever
// they are: then each step asks whether the loop still goes on. Others stay, as do those that would
// make more than 200,000 nodes, and those whose LoopCond is in `kept`. The same pointer where
// nothing was written out.
Result<GraphPtr> unrollLoops(const GraphPtr& graph, const std::set<std::string>& kept,
                             const Job& job);

} // namespace lapidary
