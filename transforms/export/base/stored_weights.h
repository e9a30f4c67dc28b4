// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/portable/portable_model.h"

#include <optional>
#include <vector>

namespace lapidary {

// The number of bits of weights in the file. Computations stay float.
enum class WeightFormat : std::uint8_t { Float32, Float16, Int8 };

// Stores float constants in fewer bits: of Float16 those of at least 256 elements, of Int8 the
// weights of layers of at least 1,024, symmetric with one scale for an output channel (one for all
// of a fully connected layer).
void storeWeights(PortableModel& model, WeightFormat format);

// Returns the constant with 8-bit values and one scale a channel: value = code * scale, code within
// [-largestCode, largestCode]. The layer that reads them determines the channel of each element:
// the scales follow one another, each for `quantized.axis` elements in a row. `least` are lower
// bounds of the scales, one a channel; none if it is empty.
PortableTensor quantizedWeights(const PortableTensor& weights, PortableKind layer,
                                std::int64_t largestCode = 127,
                                const std::vector<float>& least = {});

// Returns the numbers of a constant stored in fewer bits; nothing for float constants, and for
// those that are not weights.
std::optional<std::vector<float>> restoredWeights(const PortableTensor& tensor);

} // namespace lapidary
