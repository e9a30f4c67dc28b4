// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/transforms/pass_testing.h"
#include "tests/transforms/passes/pattern_cases.h"

#include <cstdint>
#include <vector>

namespace lapidary {

// A network of layers from "x", images of 12 rows and columns, to "y": convolutions of both kinds
// whose channels differ up to 64 times, biases, activations, pools, pads, branches and a product at
// the end. The same for the same seed.
GraphPtr randomLayers(std::uint32_t seed);

// The cases of passes that look for layers, or for ranges in front of them.
std::vector<PatternCase> layerCases();

} // namespace lapidary
