// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/portable/portable_model.h"

namespace lapidary {

// Returns whether the kind has weights and a bias.
bool isQuantizedLayer(PortableKind kind);

// Returns the constant in 8 bits with these scales, one or one for each slice along their axis.
PortableTensor quantizedConstant(const PortableTensor& tensor, const PortableScales& scales);

// Gives the layer weights in 8 bits, and a bias in 32 bits whose scales are those of the input
// times those of the weights. If a bias would not fit, the weights of its channel get a larger
// scale. `before` is the layer with its float constants.
void quantizeLayer(PortableModel& model, PortableOperation& layer, const PortableOperation& before,
                   const PortableScales& input, std::int64_t largestCode = 127);

// Gives a layer whose weights are codes its constant bias in 32 bits, in the scale of both.
void quantizeBias(PortableModel& model, PortableOperation& layer, const PortableScales& input);

} // namespace lapidary
