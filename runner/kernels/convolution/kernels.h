#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; convolution.cpp lists them.
extern const Kernel conv2d;
extern const Kernel depthwiseConv2dNative;

} // namespace lapidary::kernels
