#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; convolution.cpp lists them.
extern const Kernel conv2d;
extern const Kernel conv2dBackpropInput;
extern const Kernel conv3d;
extern const Kernel depthwiseConv2dNative;
extern const Kernel dilation2d;
extern const Kernel fusedConvolution;
extern const Kernel fusedPadConv2d;
extern const Kernel fusedResizeAndPadConv2d;

} // namespace lapidary::kernels
