#include "runner/kernels/quantised/kernels.h"
#include "runner/kernels/rooms.h"

#include <vector>

namespace lapidary {

std::span<const Kernel* const> quantisedKernels()
{
    static const std::vector<const Kernel*> all = {
        &kernels::dequantize,          &kernels::fusedCodes,
        &kernels::fusedRange,          &kernels::quantizeDownAndShrinkRange,
        &kernels::quantizeV2,          &kernels::quantizedAdd,
        &kernels::quantizedAvgPool,    &kernels::quantizedBatchNorm,
        &kernels::quantizedBiasAdd,    &kernels::quantizedConcat,
        &kernels::quantizedConv2d,     &kernels::quantizedInstanceNorm,
        &kernels::quantizedMatMul,     &kernels::quantizedMaxPool,
        &kernels::quantizedMul,        &kernels::quantizedRelu,
        &kernels::quantizedRelu6,      &kernels::quantizedReluX,
        &kernels::quantizedReshape,    &kernels::quantizedResizeBilinear,
        &kernels::requantizationRange, &kernels::requantize,
    };
    return all;
}

} // namespace lapidary
