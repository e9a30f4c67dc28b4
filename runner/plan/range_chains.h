#pragma once

#include "runner/plan/code_chains.h"

namespace lapidary {

// A QuantizeV2 to the range that its input has, and what looks for it, read by nobody else:
//   Reshape to a vector, Max and Min of that  ->  QuantizeV2
// O(readers of its nodes).
std::optional<CodeChain> rangeChainTo(const Graph& graph, NodeId quantize);

} // namespace lapidary
