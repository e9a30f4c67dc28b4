// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/transforms/pass_testing.h"

#include <cstdint>
#include <vector>

namespace lapidary {

// A network of layers from "x", images of 12 rows and columns, to "y": convolutions of both kinds
// whose channels differ up to 64 times, biases, activations, pools, pads, branches and a product at
// the end. The same for the same seed.
GraphPtr randomLayers(std::uint32_t seed);

// Two layers from "x" to "y": "w", "conv", "bias", "sum", the activation "a" and "v". The second
// channel between them is much smaller than the first one, or always 0, depending on the bias.
GraphPtr twoLayers(const char* activation, std::vector<float> bias);

} // namespace lapidary
