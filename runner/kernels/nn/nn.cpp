#include "runner/kernels/nn/kernels.h"
#include "runner/kernels/rooms.h"

#include <vector>

namespace lapidary {

std::span<const Kernel* const> nnKernels()
{
    static const std::vector<const Kernel*> all = {
        &kernels::avgPool,        &kernels::biasAdd,          &kernels::biasAddV1,
        &kernels::fusedBatchNorm, &kernels::fusedBatchNormV2, &kernels::fusedBatchNormV3,
        &kernels::logSoftmax,     &kernels::maxPool,          &kernels::maxPoolV2,
        &kernels::softmax,
    };
    return all;
}

} // namespace lapidary
