// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "runner/cost/graph_cost.h"
#include "runner/profile/node_profile.h"
#include "runner/shapes/infer_shapes.h"

namespace lapidary {

// Returns the estimated cost of a run, for the sizes that estimateCost() takes.
Result<GraphCost> proposedCost(const Graph& graph, const InferredShapes& known, const Job& job);
// Estimates the cost before a run: the operations and the bytes of the outputs of each node, in
// the form of a profile without times. Inputs whose sizes are open in `known` get those that
// proposedShape() finds, such as a batch of 1, as long as there are no more than mostProposals();
// nodes whose sizes stay unknown are left out.
Result<NodeProfilePtr> estimateCost(const Graph& graph, const InferredShapes& known,
                                    const Job& job);

} // namespace lapidary
