// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/convolution/convolve.h"

namespace lapidary {

// Reads a node with the attributes of Conv2D or DepthwiseConv2dNative whose inputs 0 and 1 are data
// and filter, and checks them.
Result<Conv2dGeometry> conv2dGeometry(const KernelContext& context);
Result<Conv2dGeometry> depthwiseGeometry(const KernelContext& context);

// Describes the three tensors of a convolution; a gradient has two of them and the size of the
// third.
struct ConvolvedDims {
    Dims data;
    Dims filter;
    Dims result;
};
// For a node with the attributes of Conv2D: checks that the three shapes fit each other.
Result<Conv2dGeometry> gradientGeometry(const KernelContext& context, const ConvolvedDims& dims);
// The windows of rows and columns of such a node; they must give the size of the result.
Result<std::vector<WindowAxis>> gradientWindows(const KernelContext& context,
                                                const ConvolvedDims& dims);

} // namespace lapidary
