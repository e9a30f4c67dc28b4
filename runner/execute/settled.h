// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/execute/exec_graph.h"

namespace lapidary {

// Marks the nodes whose outputs are the same in every run, such as those by which quantized graphs
// convert constant weights and biases. O(nodes + edges).
void markSettled(ExecGraph& graph);

} // namespace lapidary
