// MatrixInverse: the inverse of each square matrix.
#include "runner/kernels/linear/kernels.h"
#include "runner/kernels/linear/solve_matrices.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    return solveMatrices(context, false);
}

} // namespace

const Kernel kernels::matrixInverse{.op = "MatrixInverse", .run = run};

} // namespace lapidary
