// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/base/export_target.h"
#include "transforms/export/int8/tensor_ranges.h"

namespace lapidary {

// The type of inputs and outputs of a model that computes in 8 bits.
enum class QuantizedEnds : std::uint8_t { Float, Int8 };

struct QuantizeReport {
    std::size_t quantized = 0;            // operations that compute in 8 bits
    std::vector<std::string> stayedFloat; // "NODE (Kind): why" for each
};

// Expands each ChannelAffine to a product and a sum, whose ranges are measured separately. Call it
// before the ranges are observed.
void expandForRanges(PortableModel& model);

// Makes operations compute in 8 bits if the format can: activations asymmetric with one scale,
// weights symmetric with one for each output channel, biases in 32 bits with the product of both.
// Operations without a range, or without an 8-bit kernel, stay float between Dequantize and
// Quantize. `ranges` are those of this very model.
QuantizeReport quantizePortable(PortableModel& model, const TensorRanges& ranges,
                                QuantizedEnds ends);

// Inserts for ONNX the same ranges and weights as pairs of Quantize and Dequantize around float
// operations. `reduced`: weights of 7 bits, for processors whose sums of 8-bit products saturate.
QuantizeReport insertQuantizePairs(PortableModel& model, const TensorRanges& ranges, bool reduced);

// Returns scale and zero point of an int8 tensor with values within the range, which contains 0.
PortableScales activationScales(FrozenRange range);

} // namespace lapidary
