// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/convolution/channel_statistics.h"
#include "transforms/match/pattern.h"

#include <array>
#include <string_view>
#include <vector>

namespace lapidary {

// y = x * scale + offset, one of each for a channel.
struct NormFactors {
    std::vector<float> scale;
    std::vector<float> offset;
    ChannelStatistics statistics; // of y; optional
};

// Computes the factors of a batch normalization from its four constant vectors, inputs 1 to 4 in
// order. The error's message says why it cannot be folded.
Result<NormFactors> normFactors(const Graph& graph, NodeId norm,
                                const std::array<NodeId, 4>& vectors);

// A convolution with scaled weights, and the bias that is added after it.
struct FoldedConv {
    NodeDraft weights;
    NodeDraft offset;  // <conv>_bn_offset, which carries the statistics
    NodeDraft biasAdd; // `biasName`
};
// Folds the factors into a convolution. `conv` matched Conv2D|DepthwiseConv2dNative{*, Const}.
Result<FoldedConv> foldIntoConv(const Graph& graph, const Match& conv, const NormFactors& factors,
                                std::string_view biasName);

} // namespace lapidary
