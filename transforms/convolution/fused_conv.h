// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Why the nodes in front of a Conv2D cannot be fused into it: what FusedPadConv2D and
// FusedResizeAndPadConv2D cannot say. Empty where they can.
std::string fusionFault(const Node& conv, const std::vector<const Node*>& before);
// A node of the fused op in the place of `conv`, with T, padding and strides of it.
NodeDraft fusedConv(const Node& conv, std::string_view op, std::vector<std::string> inputs);
// The k-th input as the file has it, or nothing.
std::string inputText(const Node& node, std::size_t k);

} // namespace lapidary
