// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/execute/exec_graph.h"
#include "runner/plan/fusion.h"

namespace lapidary {

// Checks every node of a compiled graph against the definition of its op and the types that its
// producers give, before anything runs: kernels rely on it. A node that replaces fused ones is
// checked by their definitions. `fused` is null if nothing may be fused (in bodies of functions);
// then ops that only the fusion makes are refused. Fills in the types of the slots of fused nodes.
// Errors name the node. O(nodes + edges).
Status bindGraph(ExecGraph& graph, const FusedGraph* fused);

} // namespace lapidary
