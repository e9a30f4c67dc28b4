// MatrixDiagPart: the main diagonal of each matrix.
#include "runner/kernels/linear/diagonal_band.h"
#include "runner/kernels/linear/kernels.h"

namespace lapidary {
namespace {

Status run(KernelContext& context)
{
    const auto band = DiagonalBand::in(context, std::nullopt, context.input(0).dims());
    return band ? takeDiagonals(context, band.value(), nullptr) : Status(band.error());
}

} // namespace

const Kernel kernels::matrixDiagPart{.op = "MatrixDiagPart", .run = run};

} // namespace lapidary
