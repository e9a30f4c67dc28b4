// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/convolution/convolve.h"

namespace lapidary {

// Of a node with the attributes of Conv2D or DepthwiseConv2dNative whose inputs 0 and 1 are data
// and filter, checked (spec: kernels, A3.2 and A3.3).
Result<Conv2dGeometry> conv2dGeometry(const KernelContext& context);
Result<Conv2dGeometry> depthwiseGeometry(const KernelContext& context);

} // namespace lapidary
