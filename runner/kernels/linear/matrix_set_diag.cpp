// MatrixSetDiag: x with another main diagonal in each matrix.
#include "runner/kernels/linear/diagonal_band.h"
#include "runner/kernels/linear/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto band = DiagonalBand::in(context, std::nullopt, context.input(0).dims());
    return band ? replaceDiagonals(context, band.value()) : Status(band.error());
}

} // namespace

const Kernel kernels::matrixSetDiag{.op = "MatrixSetDiag", .run = run};

} // namespace lapidary
