#include "runner/kernels/convolution/kernels.h"
#include "runner/kernels/rooms.h"

#include <vector>

namespace lapidary {

std::span<const Kernel* const> convolutionKernels()
{
    static const std::vector<const Kernel*> all = {
        &kernels::conv2d,         &kernels::conv2dBackpropInput,
        &kernels::conv3d,         &kernels::depthwiseConv2dNative,
        &kernels::dilation2d,     &kernels::fusedConvolution,
        &kernels::fusedPadConv2d, &kernels::fusedResizeAndPadConv2d,
    };
    return all;
}

} // namespace lapidary
