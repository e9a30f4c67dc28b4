#include "runner/kernels/linear/kernels.h"
#include "runner/kernels/rooms.h"

#include <vector>

namespace lapidary {

std::span<const Kernel* const> linearKernels()
{
    static const std::vector<const Kernel*> all = {
        &kernels::batchMatMul,
        &kernels::batchMatMulV2,
        &kernels::einsum,
        &kernels::matMul,
    };
    return all;
}

} // namespace lapidary
