// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/graph.h"

#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// A QuantizedConv2D, a QuantizedAdd or a QuantizedBiasAdd and the nodes after it up to 8-bit
// values, without other readers:
//   (RequantizationRange)? Requantize
//   after a convolution: (QuantizedBiasAdd (RequantizationRange)? Requantize)?
//   (QuantizedRelu | QuantizedRelu6)?
struct CodeChain {
    std::string_view op;         // op of the node that replaces them
    std::vector<NodeId> members; // in the order of execution
    std::vector<double> weights; // approximate operations for each element of the result
    std::vector<std::string> inputs;
    std::string stages;     // see kernels/quantized/fused_codes.h
    std::string stageNodes; // likewise
    NodeId attributes;      // the member whose attributes the node gets
};

// Returns the longest chain that begins here. O(readers of its nodes).
std::optional<CodeChain> codeChainFrom(const Graph& graph, NodeId first);

} // namespace lapidary
