// MatrixSetDiagV2: x with another band of diagonals in each matrix.
#include "runner/kernels/linear/diagonal_band.h"
#include "runner/kernels/linear/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto band = DiagonalBand::in(context, 2, context.input(0).dims());
    return band ? replaceDiagonals(context, band.value()) : Status(band.error());
}

} // namespace

const Kernel kernels::matrixSetDiagV2{.op = "MatrixSetDiagV2", .run = run};

} // namespace lapidary
