// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"

#include <string_view>

namespace lapidary {

// TensorFlow ignores the attribute "dilations" of DepthwiseConv2dNative. Nodes that were lifted
// from other formats to be written have dilations that apply, and this attribute.
inline constexpr std::string_view countedDilation = "_is_dilated";

// Returns whether the attribute "dilations" of a convolution applies.
inline bool countsDilation(const Node& node)
{
    return node.op() != "DepthwiseConv2dNative" || node.hasAttr(countedDilation);
}

} // namespace lapidary
