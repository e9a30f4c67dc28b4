// MatrixSolve: the solution of each system of linear equations.
#include "runner/kernels/linear/kernels.h"
#include "runner/kernels/linear/solve_matrices.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return solveMatrices(context, true);
}

} // namespace

const Kernel kernels::matrixSolve{.op = "MatrixSolve", .run = run};

} // namespace lapidary
