// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/graph/graph.h"

namespace lapidary {

// A node that computes each channel of its result from the same channel of one tensor, without
// weights. Channels are the last axis; after a Reshape to a multiple of them, value i of a row
// belongs to channel i mod channels, which is called "flat" here.
struct ChannelOp {
    enum class Kind {
        Copies, // or takes the largest, or an average, of values of the channel
        Pads,   // with zeros
        Relu,
        Relu6,
        LeakyRelu,
        Minimum, // of the channel and a constant
        Maximum,
    };
    Kind kind = Kind::Copies;
    NodeId tensor;       // the node that it reads
    bool isFlat = false; // the result is flat
    NodeId limits;       // of Minimum and Maximum: a float Const, a scalar or a vector
};

// `isFlat`: the tensor that the node reads is flat. The error's message says what the node does
// instead: "concat (ConcatV2) does not keep channels apart".
Result<ChannelOp> channelOpAt(const Graph& graph, NodeId id, bool isFlat);

// Returns the slope of a LeakyRelu below zero.
float leakOf(const Node& node);

} // namespace lapidary
