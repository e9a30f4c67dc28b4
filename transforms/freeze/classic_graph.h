// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/graph/graph_edit.h"

#include <string>
#include <vector>

namespace lapidary {

// Returns the part of the graph that these nodes need, over data and control edges, with function
// calls inlined and If, Case and While replaced by TensorFlow 1's control flow, as far as possible.
// Returns the same graph if nothing in that part calls a function.
Result<EditResult> classicPart(const GraphPtr& graph, const std::vector<NodeId>& outputs,
                               const std::vector<std::string>& interfaceNames, const Job& job);

// Returns why the first node in the graph that still calls functions could not be replaced; empty
// if there is no such node.
std::string callThatStays(const GraphPtr& graph, const Job& job);

// Flags the nodes that are constants, or are computed from constants alone without any effect. One
// flag a node.
std::vector<bool> computedOfConstants(const Graph& graph);

// Removes control inputs that wait for a constant, or for nodes that are computed from constants
// alone: they remain from the order of reads when the variables are constants.
Result<EditResult> withoutIdleWaits(const GraphPtr& graph);

} // namespace lapidary
