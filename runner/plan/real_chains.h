// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/plan/code_chains.h"

namespace lapidary {

// A convolution whose weights are codes with a scale for each channel, and the nodes after it,
// without other readers, up to float:
//   (QuantizedConv2D  Dequantize | DepthwiseConv2dNative of Dequantize times a constant)
//   (Mul by channel)?  (BiasAdd | Add by channel)?  (Add of another tensor, after codes)?
//   (Relu | Relu6)?  (Minimum by channel, after no such Add)?
// Finds steps that work by channel, with one constant for each channel or one for all. `taken`: by
// node, whether another chain has it. O(readers of its nodes).
std::optional<CodeChain> realChainFrom(const Graph& graph, NodeId first,
                                       const std::vector<bool>& taken);

} // namespace lapidary
