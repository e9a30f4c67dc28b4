// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"
#include "graph_model/graph/graph_edit.h"

#include <string>

namespace lapidary {

// Returns what a step broke: inputs that read outputs that do not exist or have another type,
// another number of inputs than the op takes, cycles that are not loops, colocation with nodes that
// do not exist. Names the node; empty if the graph is sound, or was as broken before, at a node
// that it came from by the lineage. O(nodes + edges).
std::string stepFault(const Graph& before, const Graph& after, const Job& job,
                      const Lineage& lineage = {});

} // namespace lapidary
