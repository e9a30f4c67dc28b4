// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"

#include <string>

namespace lapidary {

// Nodes that several steps make; `range` is a node with values, min and max as outputs 0 to 2.

// NAME = Dequantize(values, min, max), 8 bits, MIN_FIRST.
NodeDraft dequantizeNode(std::string name, std::vector<std::string> inputs);
// NAME = QuantizeV2(values, min, max), MIN_FIRST.
NodeDraft quantizeNode(std::string name, std::vector<std::string> inputs, DType dtype);
// NAME = Requantize(codes, min, max, to min, to max) from 32 bits to 8.
NodeDraft requantizeNode(std::string name, std::vector<std::string> inputs);
// "node:0", "node:1", "node:2".
std::vector<std::string> threeOutputs(const std::string& node);

} // namespace lapidary
