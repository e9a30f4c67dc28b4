// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/execute/exec_graph.h"

namespace lapidary {

// Marks the nodes whose outputs are the same in every run: what quantized graphs do to weights and
// biases that are constants. O(nodes + edges).
void markSettled(ExecGraph& graph);

} // namespace lapidary
