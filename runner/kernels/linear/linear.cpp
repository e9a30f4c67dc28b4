#include "runner/kernels/linear/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> linearKernels()
{
    static constexpr std::array list{&kernels::batchMatMul,      &kernels::batchMatMulV2,
                                     &kernels::cholesky,         &kernels::diag,
                                     &kernels::diagPart,         &kernels::einsum,
                                     &kernels::fusedProduct,     &kernels::matMul,
                                     &kernels::matrixBandPart,   &kernels::matrixDeterminant,
                                     &kernels::matrixDiag,       &kernels::matrixDiagPart,
                                     &kernels::matrixDiagPartV2, &kernels::matrixDiagV2,
                                     &kernels::matrixInverse,    &kernels::matrixSetDiag,
                                     &kernels::matrixSetDiagV2,  &kernels::matrixSolve};
    return list;
}

} // namespace lapidary
