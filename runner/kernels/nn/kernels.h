#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; nn.cpp lists them.
extern const Kernel avgPool;
extern const Kernel biasAdd;
extern const Kernel biasAddV1;
extern const Kernel fusedBatchNorm;
extern const Kernel fusedBatchNormV2;
extern const Kernel fusedBatchNormV3;
extern const Kernel logSoftmax;
extern const Kernel maxPool;
extern const Kernel maxPoolV2;
extern const Kernel softmax;

} // namespace lapidary::kernels
