// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/int8/channel_end.h"
#include "runner/kernels/convolution/convolve.h"

namespace lapidary {

// A depthwise convolution of floats that is summed as TensorFlow 1.15 does it on a CPU: for each
// output the products of the filter's rows, and in them of its columns, one after the other, each
// rounded before it is added. So it gives the same bits, which decides in networks of 8 bits where
// the range of the result makes the codes. No tensor may be empty. An ending, which must not add a
// tensor, is applied to the result.
Result<Value> depthwiseFloat(KernelContext& context, const Conv2dGeometry& geometry,
                             const Value& input, const Value& filter,
                             int8::Ending* ending = nullptr);

} // namespace lapidary
