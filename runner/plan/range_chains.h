// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/plan/code_chains.h"

namespace lapidary {

// A QuantizeV2 to the range of its input, with the nodes that compute this range, without other
// readers:
//   Reshape to a vector, Max and Min of that  ->  QuantizeV2
// O(readers of its nodes).
std::optional<CodeChain> rangeChainTo(const Graph& graph, NodeId quantize);

} // namespace lapidary
