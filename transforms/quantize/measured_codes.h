// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"

#include <string>
#include <vector>

namespace lapidary {

// "conv_eightbit/x__port__1": the stem of the names of nodes that quantize an input of a node.
std::string codesStem(std::string_view reader, const Input& input);

// Nodes that quantize a float tensor to 8 bits over the range that it has while the graph runs, Min
// and Max of all its values. The codes and their range are the outputs of STEM/quantize.
std::vector<NodeDraft> measuredCodes(const std::string& stem, const Input& input);

} // namespace lapidary
