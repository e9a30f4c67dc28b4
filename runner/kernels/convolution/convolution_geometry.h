// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/convolution/convolve.h"

namespace lapidary {

// Read and check a node with the attributes of Conv2D or DepthwiseConv2dNative, whose inputs 0 and
// 1 are data and filter.
Result<Conv2dGeometry> conv2dGeometry(const KernelContext& context);
Result<Conv2dGeometry> depthwiseGeometry(const KernelContext& context);

// The shapes of the three tensors of a convolution; a gradient has two of the tensors and the size
// of the third.
struct ConvolvedDims {
    Dims data;
    Dims filter;
    Dims result;
};
// Returns the geometry of a node with the attributes of Conv2D. Fails if the shapes do not fit each
// other.
Result<Conv2dGeometry> gradientGeometry(const KernelContext& context, const ConvolvedDims& dims);
// Returns the windows of rows and columns of such a node. Fails if they do not give the size of the
// result.
Result<std::vector<WindowAxis>> gradientWindows(const KernelContext& context,
                                                const ConvolvedDims& dims);

} // namespace lapidary
