// SPDX-License-Identifier: Apache-2.0
// Graphs from "x" to "y" that pattern cases of several passes share.
#pragma once

#include "tests/transforms/pass_testing.h"

#include <cstdint>
#include <vector>

namespace lapidary {

// A placeholder "x" of floats.
GraphBuilder imageInput(std::vector<std::int64_t> dims = {1, 6, 6, 2});
// y = Relu(x), in which most passes find nothing.
GraphPtr reluOnly();
// y = Relu(Neg(x)), the inner node "neg".
GraphPtr negated();
// The same with an attribute "_note" at "neg".
GraphPtr negatedWithNote();
// The same with "neg" on a device.
GraphPtr negatedOnDevice();
// y = Relu(Identity(x)), the inner node "copy".
GraphPtr copiedOnce();
// "copy", which only "a" reads, its twin "b", their "sum", which y reads, and "dead" after it.
GraphPtr twinsAndDead();
// "copy", "kept", y, and "dead" beside it.
GraphPtr copyAndDead();

// Attributes of a convolution with strides of 1.
TestAttrs convolutionAttrs(const char* padding, const char* format = "NHWC",
                           std::int64_t dilation = 1);
// Numbers between -0.4 and 0.6; any 17 consecutive ones differ.
std::vector<float> spreadValues(std::size_t count);
// A convolution "conv" with 3x3x2x2 weights "w".
GraphPtr convolutionWith(std::vector<float> weights);
// "resized" and "padded", if asked for, before a convolution "conv" with weights "w".
GraphPtr resizedAndPadded(bool resizes, bool pads, const char* format = "NHWC",
                          std::int64_t dilation = 1);

} // namespace lapidary
