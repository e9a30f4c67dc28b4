// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/convolution/window.h"
#include "runner/kernels/packed_weights.h"
#include "runner/onednn/convolution.h"

namespace lapidary {

// A convolution's sizes in NHWC, with its two axes placed.
struct Conv2dGeometry {
    std::int64_t batch = 0;
    std::int64_t inChannels = 0;
    std::int64_t outChannels = 0;
    WindowAxis rows;
    WindowAxis columns;
    onednn::ConvKind kind = onednn::ConvKind::Dense;

    onednn::ConvShape shape() const;
};

using PackedConvolutions = PackedWeights<onednn::Convolution, onednn::ConvShape>;

// Computes one convolution of input 0 with `filter` into a new value: float by the library, half
// through float, double plainly. `input` and `filter` have the geometry's sizes.
Result<Value> convolve(KernelContext& context, const Conv2dGeometry& geometry, const Value& input,
                       const Value& filter, PackedConvolutions& packed);

// float copies of half or bfloat16 data and back.
Result<Value> widened(KernelContext& context, const Value& narrow);
Result<Value> narrowed(KernelContext& context, const Value& wide, DType dtype);

} // namespace lapidary
