// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "runner/profile/node_profile.h"
#include "runner/shapes/infer_shapes.h"

namespace lapidary {

// What is known of a run before it: the operations and the bytes of the outputs of each node, in
// the form of a profile without times. Nodes whose sizes are unknown are left out.
Result<NodeProfilePtr> costProfile(const Graph& graph, const InferredShapes& shapes,
                                   const Job& job);

} // namespace lapidary
