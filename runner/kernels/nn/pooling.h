// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/convolution/window.h"

namespace lapidary {

// The windows of a pooling op over [n, h, w, c] data: over rows and columns, or over groups of
// channels.
struct Pooling {
    std::int64_t batch = 0;
    std::int64_t channels = 0;
    WindowAxis rows;
    WindowAxis columns;
    std::int64_t depthWindow = 1; // more than 1: only channels are pooled

    Dims outputDims() const { return {batch, rows.output, columns.output, channels / depthWindow}; }
    std::int64_t outputPixels() const { return batch * rows.output * columns.output; }
};

// Checks the sizes as all pooling ops do (spec: kernels, A7.1); ksize and strides are in NHWC
// order.
Result<Pooling> poolingOf(const KernelContext& context, const Dims& x,
                          const std::vector<std::int64_t>& ksize,
                          const std::vector<std::int64_t>& strides);
// Returns the pooling of input 0.
Result<Pooling> poolingOf(const KernelContext& context, const std::vector<std::int64_t>& ksize,
                          const std::vector<std::int64_t>& strides);

// The part of a window that is inside the image.
struct Range {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};
Range clippedWindow(const WindowAxis& axis, std::int64_t output);

// Sets output 0 to the maximum of each window of input 0. NaN is never larger; an empty window
// gives the lowest finite value.
Status poolMaximum(KernelContext& context, const Pooling& pooling);

} // namespace lapidary
