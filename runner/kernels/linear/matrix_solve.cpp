// SPDX-License-Identifier: Apache-2.0
// Solves systems of linear equations.
#include "runner/kernels/kernel.h"
#include "runner/kernels/linear/solve_matrices.h"

namespace lapidary {
namespace {

// MatrixSolve: the solution of each system of linear equations.
Status runMatrixSolve(KernelContext& context)
{
    return solveMatrices(context, true);
}

// MatrixInverse: the inverse of each square matrix.
Status runMatrixInverse(KernelContext& context)
{
    return solveMatrices(context, false);
}

} // namespace

LAPIDARY_KERNEL(BatchMatrixSolve, runMatrixSolve);
LAPIDARY_KERNEL(MatrixSolve, runMatrixSolve);
LAPIDARY_KERNEL(BatchMatrixInverse, runMatrixInverse);
LAPIDARY_KERNEL(MatrixInverse, runMatrixInverse);

} // namespace lapidary
