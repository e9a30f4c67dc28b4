#pragma once

#include "graph_model/graph/graph.h"

#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// A QuantizedConv2D, a QuantizedAdd or a QuantizedBiasAdd and what follows it up to codes of 8
// bits, all read by nobody else:
//   (RequantizationRange)? Requantize
//   behind a convolution: (QuantizedBiasAdd (RequantizationRange)? Requantize)?
//   (QuantizedRelu | QuantizedRelu6)?
struct CodeChain {
    std::string_view op;         // of the node that takes their place
    std::vector<NodeId> members; // in the order of their work
    std::vector<double> weights; // operations for each element of the result, about
    std::vector<std::string> inputs;
    std::string stages;     // see kernels/quantised/fused_codes.h
    std::string stageNodes; // likewise
    NodeId attributes;      // whose attributes the node has
};

// The longest one that begins here. O(readers of its nodes).
std::optional<CodeChain> codeChainFrom(const Graph& graph, NodeId first);

} // namespace lapidary
