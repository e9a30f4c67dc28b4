// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/convolution/window.h"
#include "runner/kernels/packed_weights.h"
#include "runner/onednn/convolution.h"

namespace lapidary {

// The sizes of a convolution in NHWC; placeWindow() was called for both axes.
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

// Computes one convolution of `input` with `filter` into a new value: float by oneDNN, half by way
// of float, double by a plain loop. `input` and `filter` have the geometry's sizes.
Result<Value> convolve(KernelContext& context, const Conv2dGeometry& geometry, const Value& input,
                       const Value& filter, PackedConvolutions& packed);

// Copy half or bfloat16 data to float, and back.
Result<Value> widened(KernelContext& context, const Value& narrow);
Result<Value> narrowed(KernelContext& context, const Value& wide, DType dtype);

} // namespace lapidary
