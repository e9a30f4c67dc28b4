// MatrixDiag: square matrices with the given main diagonals, 0 elsewhere.
#include "runner/kernels/linear/diagonal_band.h"
#include "runner/kernels/linear/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const Dims& dims = context.input(0).dims();
    if (dims.empty())
        return context.error("needs a diagonal, but the input is a scalar");
    return placeDiagonals(context, {.rows = dims.back(), .columns = dims.back()}, nullptr);
}

} // namespace

const Kernel kernels::matrixDiag{.op = "MatrixDiag", .run = run};

} // namespace lapidary
