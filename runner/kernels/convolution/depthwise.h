// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/convolution/convolve.h"

#include <functional>

namespace lapidary {

// Told of pixels whose sums are complete, which it may write over; from any thread.
using PixelsDone = std::function<void(float* sums, std::int64_t pixels)>;

// A depthwise convolution of floats that is summed as TensorFlow 1.15 does it on a CPU: for each
// output the products of the filter's rows, and in them of its columns, one after the other, each
// rounded before it is added. So it gives the same bits, which decides in networks of 8 bits where
// the range of the result makes the codes. Nothing may be empty. `done`, where set, is told of all
// pixels, row by row.
Result<Value> depthwiseFloat(KernelContext& context, const Conv2dGeometry& geometry,
                             const Value& input, const Value& filter, const PixelsDone& done = {});

} // namespace lapidary
