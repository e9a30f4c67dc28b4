// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"

#include <span>
#include <string>
#include <vector>

namespace lapidary {

// Returns the stem of the names of nodes that quantize an input of a node:
// "conv_eightbit/x__port__1".
std::string codesStem(std::string_view reader, const Input& input);

// Makes nodes that quantize a float tensor to 8 bits over the range that it has while the graph
// runs, Min and Max of all its values. The codes and their range are the outputs of STEM/quantize.
// Their constants wait for what computes the input, so that they are in its loop, but not if the
// input is one of several outputs and `fed`: waiting for it would run the node anyway.
std::vector<NodeDraft> measuredCodes(const std::string& stem, const Input& input,
                                     std::span<const std::string> fed);

} // namespace lapidary
