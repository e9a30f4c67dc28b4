// MatrixDiagPartV2: a band of diagonals of each matrix; what is too short is padded.
#include "runner/kernels/linear/diagonal_band.h"
#include "runner/kernels/linear/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto band = DiagonalBand::in(context, 1, context.input(0).dims());
    return band ? takeDiagonals(context, band.value(), &context.input(2)) : Status(band.error());
}

} // namespace

const Kernel kernels::matrixDiagPartV2{.op = "MatrixDiagPartV2", .run = run};

} // namespace lapidary
