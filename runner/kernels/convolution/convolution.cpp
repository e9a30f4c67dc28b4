#include "runner/kernels/convolution/kernels.h"
#include "runner/kernels/rooms.h"

#include <vector>

namespace lapidary {

std::span<const Kernel* const> convolutionKernels()
{
    static const std::vector<const Kernel*> all = {
        &kernels::conv2d,
        &kernels::depthwiseConv2dNative,
    };
    return all;
}

} // namespace lapidary
