// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

#include <limits>
#include <vector>

namespace lapidary {

// The distribution of the values of one channel: normal, then bent below zero, then clipped.
struct ChannelSpread {
    double mean = 0; // of the normal values
    double deviation = 0;
    double leak = 1; // the slope below zero
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    // Returns the result for a normal value.
    double bent(double value) const;
    // Returns the mean of the results for all normal values, in closed form.
    double expected() const;
};

struct ChannelSpreads {
    std::vector<ChannelSpread> channels;
    NodeId largest; // a MaxPool on the way, after which values are larger; invalid: none
};
// Returns the spread of each channel of a node's first output: what a folded batch normalization
// kept (convolution/channel_statistics.h), through activations, pooling and reshaping. The error's
// message says what prevents it.
Result<ChannelSpreads> channelSpreads(const Graph& graph, NodeId id);

} // namespace lapidary
