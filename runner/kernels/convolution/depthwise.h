// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/int8/channel_end.h"
#include "runner/kernels/convolution/convolve.h"

namespace lapidary {

// Computes a depthwise convolution of floats with the sums of TensorFlow 1.15 on a CPU: for each
// output the products are added row by row of the filter, and column by column in a row, each
// rounded before it is added. So it gives the same bits, which matters in 8-bit networks, where the
// range of the result determines the codes. No tensor may be empty. An ending, which must not add a
// tensor, is applied to the result.
Result<Value> depthwiseFloat(KernelContext& context, const Conv2dGeometry& geometry,
                             const Value& input, const Value& filter,
                             int8::Ending* ending = nullptr);

} // namespace lapidary
