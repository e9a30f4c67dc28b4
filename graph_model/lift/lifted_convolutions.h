// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_draft.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Convolutions that TensorFlow's kernels do not compute as other formats have them, as rows of
// nodes for a run; as one node where a graph is lifted to be written.

inline constexpr std::int64_t mostConvGroups = 1024; // each may become a node

// Splits a tensor in equal parts along an axis.
std::vector<std::string> equalParts(LiftDraft& draft, const std::string& whole, std::int64_t axis,
                                    std::int64_t count);

// Conv2D or Conv3D of x [..., groups * in] with the filter [..., in, groups * out]: each group of
// output channels reads a group of input channels. `last`: the axis of the channels. Empty where
// there are too many groups.
std::string groupedConv(LiftDraft& draft, std::string_view op, const std::string& x,
                        const std::string& filter, std::int64_t groups, std::int64_t last,
                        LiftDraft::Attrs attrs);

// How a depthwise convolution steps over height and width, with a filter [h, w, in, multiplier] of
// the sizes `filter`. Not SAME: VALID.
struct DepthwiseWindow {
    LiftDraft::Ints filter;
    LiftDraft::Ints stride{1, 1};
    LiftDraft::Ints dilation{1, 1};
    bool isSame = false;
};

// DepthwiseConv2dNative of a picture [n, h, w, in]. Empty where the filter would be too large, and
// where the padding takes sizes that are not known.
std::string depthwiseConv(LiftDraft& draft, const std::string& x, const std::string& filter,
                          const DepthwiseWindow& window);

} // namespace lapidary
