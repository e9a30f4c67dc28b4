// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_draft.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Convolutions of other formats that TensorFlow's kernels do not compute directly: several nodes
// for a run, or one node if the graph is lifted to be written.

inline constexpr std::int64_t mostConvGroups = 1024; // each group may become a node

// Splits a tensor into equal parts along an axis.
std::vector<std::string> equalParts(LiftDraft& draft, const std::string& whole, std::int64_t axis,
                                    std::int64_t count);

// Makes a Conv2D or Conv3D of x [..., groups * in] with the filter [..., in, groups * out]: each
// group of output channels reads a group of input channels. Returns an empty text if there are too
// many groups.
std::string groupedConv(LiftDraft& draft, std::string_view op, const std::string& x,
                        const std::string& filter, std::int64_t groups, LiftDraft::Attrs attrs);

// The window of a depthwise convolution, with the sizes `filter` of a filter [h, w, in,
// multiplier]. The padding is VALID unless isSame.
struct DepthwiseWindow {
    LiftDraft::Ints filter;
    LiftDraft::Ints stride{1, 1};
    LiftDraft::Ints dilation{1, 1};
    bool isSame = false;
};

// Makes a DepthwiseConv2dNative of a picture [n, h, w, in]. Returns an empty text if the filter
// would be too large, or if the padding depends on unknown sizes.
std::string depthwiseConv(LiftDraft& draft, const std::string& x, const std::string& filter,
                          const DepthwiseWindow& window);

} // namespace lapidary
