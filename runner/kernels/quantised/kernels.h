#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op (or family) a file; quantised.cpp lists them.
extern const Kernel dequantize;
extern const Kernel fusedCodes;
extern const Kernel fusedRange;
extern const Kernel quantizeDownAndShrinkRange;
extern const Kernel quantizeV2;
extern const Kernel quantizedAdd;
extern const Kernel quantizedAvgPool;
extern const Kernel quantizedBatchNorm;
extern const Kernel quantizedBiasAdd;
extern const Kernel quantizedConcat;
extern const Kernel quantizedConv2d;
extern const Kernel quantizedInstanceNorm;
extern const Kernel quantizedMatMul;
extern const Kernel quantizedMaxPool;
extern const Kernel quantizedMul;
extern const Kernel quantizedRelu;
extern const Kernel quantizedRelu6;
extern const Kernel quantizedReluX;
extern const Kernel quantizedReshape;
extern const Kernel quantizedResizeBilinear;
extern const Kernel requantizationRange;
extern const Kernel requantize;

} // namespace lapidary::kernels
