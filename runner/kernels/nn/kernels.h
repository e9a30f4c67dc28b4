#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// One op a file; nn.cpp lists them.
extern const Kernel avgPool;
extern const Kernel avgPool3d;
extern const Kernel batchNormWithGlobalNormalization;
extern const Kernel biasAdd;
extern const Kernel biasAddV1;
extern const Kernel fakeQuantWithMinMaxArgs;
extern const Kernel fakeQuantWithMinMaxVars;
extern const Kernel fakeQuantWithMinMaxVarsPerChannel;
extern const Kernel fusedBatchNorm;
extern const Kernel fusedBatchNormV2;
extern const Kernel fusedBatchNormV3;
extern const Kernel logSoftmax;
extern const Kernel lrn;
extern const Kernel maxPool;
extern const Kernel maxPool3d;
extern const Kernel maxPoolV2;
extern const Kernel maxPoolWithArgmax;
extern const Kernel quantizeAndDequantize;
extern const Kernel quantizeAndDequantizeV2;
extern const Kernel quantizeAndDequantizeV3;
extern const Kernel softmax;
extern const Kernel softmaxCrossEntropyWithLogits;
extern const Kernel sparseSoftmaxCrossEntropyWithLogits;

} // namespace lapidary::kernels
