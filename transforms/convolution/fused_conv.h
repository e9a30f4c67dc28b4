// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Returns why the nodes before a Conv2D cannot be fused into it, because FusedPadConv2D and
// FusedResizeAndPadConv2D cannot express them: images of another type than the filter's, for
// example. Empty if they can.
std::string fusionFault(const Node& conv, const std::vector<const Node*>& before);
// Does the same for the paddings of a MirrorPad: the fused ops take int32 paddings of height and
// width. Paddings that are not constant are not checked.
std::string paddingFault(const Node& pad, const Node& paddings);
// Makes a node of the fused op to replace `conv`, with its T, padding and strides.
NodeDraft fusedConv(const Node& conv, std::string_view op, std::vector<std::string> inputs);
// Returns the text of the k-th input as in the file; empty if there is none.
std::string inputText(const Node& node, std::size_t k);

} // namespace lapidary
