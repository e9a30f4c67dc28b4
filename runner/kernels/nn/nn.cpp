#include "runner/kernels/nn/kernels.h"
#include "runner/kernels/rooms.h"

#include <vector>

namespace lapidary {

std::span<const Kernel* const> nnKernels()
{
    static const std::vector<const Kernel*> all = {
        &kernels::avgPool,
        &kernels::avgPool3d,
        &kernels::batchNormWithGlobalNormalization,
        &kernels::biasAdd,
        &kernels::biasAddV1,
        &kernels::fakeQuantWithMinMaxArgs,
        &kernels::fakeQuantWithMinMaxVars,
        &kernels::fakeQuantWithMinMaxVarsPerChannel,
        &kernels::fusedBatchNorm,
        &kernels::fusedBatchNormV2,
        &kernels::fusedBatchNormV3,
        &kernels::logSoftmax,
        &kernels::lrn,
        &kernels::maxPool,
        &kernels::maxPool3d,
        &kernels::maxPoolV2,
        &kernels::maxPoolWithArgmax,
        &kernels::quantizeAndDequantize,
        &kernels::quantizeAndDequantizeV2,
        &kernels::quantizeAndDequantizeV3,
        &kernels::softmax,
        &kernels::softmaxCrossEntropyWithLogits,
        &kernels::sparseSoftmaxCrossEntropyWithLogits,
    };
    return all;
}

} // namespace lapidary
