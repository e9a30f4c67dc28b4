// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph.h"
#include "graph_model/graph/graph_edit.h"

#include <string>

namespace lapidary {

// Returns an error that a step caused: inputs that read outputs that do not exist or have another
// type, another number of inputs than the op takes, cycles that are not loops, colocation with
// nodes that do not exist. Names the node; empty if the graph is sound, or had the same error
// before, at the node's origin by the lineage. O(nodes + edges).
std::string stepFault(const Graph& before, const Graph& after, const Job& job,
                      const Lineage& lineage = {});

} // namespace lapidary
