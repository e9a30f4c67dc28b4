// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"
#include "runner/setup/run_plan.h"

namespace lapidary {

// Returns the same graph with zeros in the place of large constants that a run does not read, so
// that it is quickly given to another process. Every node stays: what is fused or pruned is as
// before. The same pointer where nothing can be left out, and for a graph whose loading may read
// them. `plan`: with its fetches and targets. O(nodes + edges).
GraphPtr withNeededWeights(const GraphEntry& entry, const RunPlan& plan);

} // namespace lapidary
