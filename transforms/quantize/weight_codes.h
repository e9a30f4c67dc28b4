// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/dtype.h"
#include "transforms/layers/layer_weights.h"

#include <span>
#include <string>
#include <vector>

namespace lapidary {

// Options for quantizing weights.
struct CodeOptions {
    int bits = 8; // 2 to 8 in quint8, 16 in quint16
    // Tries some shorter ranges and takes the one whose codes are closest to the values.
    bool shortensRange = false;
};

// Quantized values that Dequantize (MIN_FIRST) reads with this range. With fewer than 8 bits only
// the lowest ones occur: `max` is the number that 255 represents.
struct WeightCodes {
    DType dtype = DType::QUInt8;
    float min = 0;
    float max = 0;
    std::string bytes;
};

// Quantizes finite values; their range is extended to 0.
WeightCodes weightCodes(std::span<const float> values, const CodeOptions& options);

// Quantized values of weights that were divided by the `scale` of their output channel: the largest
// magnitude in the channel, or less if the range was shortened.
struct ChannelCodes {
    WeightCodes codes;
    std::vector<float> scale;
};
ChannelCodes channelCodes(const LayerWeights& weights, const CodeOptions& options);

} // namespace lapidary
