// SPDX-License-Identifier: Apache-2.0
// Diagonals of batches of matrices: built, taken out and replaced.
#include "runner/kernels/kernel.h"
#include "runner/kernels/linear/diagonal_band.h"

namespace lapidary {
namespace {

// MatrixDiag: square matrices with the given main diagonals, 0 elsewhere.
Status runMatrixDiag(KernelContext& context)
{
    const Dims& dims = context.input(0).dims();
    if (dims.empty())
        return context.error("needs a diagonal, but the input is a scalar");
    return placeDiagonals(context, {.rows = dims.back(), .columns = dims.back()}, nullptr);
}

// MatrixDiagV2: matrices with the given band of diagonals. The size is given or as small as
// possible.
Result<std::int64_t> sizeOf(const KernelContext& context, std::size_t input)
{
    if (context.input(input).elements() != 1)
        return context.error("num_rows and num_cols must be scalars, but one has shape " +
                             dimsText(context.input(input).dims()));
    return context.input(input).integers()[0];
}

// Sets rows and columns; -1 means the smallest that the diagonals fit into.
Status setSize(const KernelContext& context, DiagonalBand& band, std::int64_t longest)
{
    const auto rows = sizeOf(context, 2);
    const auto columns = sizeOf(context, 3);
    if (!rows || !columns)
        return rows ? columns.error() : rows.error();
    const std::int64_t leastRows = longest - std::min<std::int64_t>(band.upper, 0);
    const std::int64_t leastColumns = longest + std::max<std::int64_t>(band.lower, 0);
    band.rows = rows.value() == -1 ? leastRows : rows.value();
    band.columns = columns.value() == -1 ? leastColumns : columns.value();
    if (rows.value() == -1 && columns.value() == -1)
        band.rows = band.columns = std::max(leastRows, leastColumns);
    const bool fits = band.rows >= leastRows && band.columns >= leastColumns &&
                      (band.rows == leastRows || band.columns == leastColumns);
    if (!fits)
        return context.error("diagonals of length " + std::to_string(longest) +
                             " do not fit matrices of " + std::to_string(band.rows) + " x " +
                             std::to_string(band.columns));
    return Done{};
}

Status placeBand(KernelContext& context, DiagonalBand band)
{
    const Dims& dims = context.input(0).dims();
    constexpr std::int64_t far = std::int64_t(1) << 40;
    if (band.lower <= -far || band.upper >= far)
        return context.error("there is no matrix with such diagonals");
    const bool isBand = band.count() > 1;
    if (dims.size() < (isBand ? 2 : 1) || (isBand && dims[dims.size() - 2] != band.count()))
        return context.error("a tensor of shape " + dimsText(dims) + " does not hold " +
                             std::to_string(band.count()) + " diagonals");
    RETURN_IF_ERROR(setSize(context, band, dims.back()));
    if (band.longest() != dims.back())
        return context.error("diagonals of length " + std::to_string(dims.back()) +
                             " do not fit matrices of " + std::to_string(band.rows) + " x " +
                             std::to_string(band.columns));
    return placeDiagonals(context, band, &context.input(4));
}

Status runMatrixDiagV2(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto band, DiagonalBand::of(context, 1));
    return placeBand(context, band);
}

// Returns the attribute of the V3 ops for the alignment of shorter diagonals in their rows.
std::string_view alignOf(const KernelContext& context)
{
    return context.stringAttr("align", "RIGHT_LEFT");
}

Status runMatrixDiagV3(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto band, DiagonalBand::of(context, 1));
    return placeBand(context, band.aligned(alignOf(context)));
}

// MatrixDiagPart: the main diagonal of each matrix.
Status runMatrixDiagPart(KernelContext& context)
{
    const auto band = DiagonalBand::in(context, std::nullopt, context.input(0).dims());
    return band ? takeDiagonals(context, band.value(), nullptr) : Status(band.error());
}

// MatrixDiagPartV2: a band of diagonals of each matrix; shorter ones are padded.
Status runMatrixDiagPartV2(KernelContext& context)
{
    const auto band = DiagonalBand::in(context, 1, context.input(0).dims());
    return band ? takeDiagonals(context, band.value(), &context.input(2)) : Status(band.error());
}

Status runMatrixDiagPartV3(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto band, DiagonalBand::in(context, 1, context.input(0).dims()));
    return takeDiagonals(context, band.aligned(alignOf(context)), &context.input(2));
}

// MatrixSetDiag: x with another main diagonal in each matrix.
Status runMatrixSetDiag(KernelContext& context)
{
    const auto band = DiagonalBand::in(context, std::nullopt, context.input(0).dims());
    return band ? replaceDiagonals(context, band.value()) : Status(band.error());
}

// MatrixSetDiagV2: x with another band of diagonals in each matrix.
Status runMatrixSetDiagV2(KernelContext& context)
{
    const auto band = DiagonalBand::in(context, 2, context.input(0).dims());
    return band ? replaceDiagonals(context, band.value()) : Status(band.error());
}

Status runMatrixSetDiagV3(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto band, DiagonalBand::in(context, 2, context.input(0).dims()));
    return replaceDiagonals(context, band.aligned(alignOf(context)));
}

} // namespace

LAPIDARY_KERNEL(BatchMatrixDiag, runMatrixDiag);
LAPIDARY_KERNEL(MatrixDiag, runMatrixDiag);
LAPIDARY_KERNEL(MatrixDiagV2, runMatrixDiagV2);
LAPIDARY_KERNEL(MatrixDiagV3, runMatrixDiagV3);
LAPIDARY_KERNEL(BatchMatrixDiagPart, runMatrixDiagPart);
LAPIDARY_KERNEL(MatrixDiagPart, runMatrixDiagPart);
LAPIDARY_KERNEL(MatrixDiagPartV2, runMatrixDiagPartV2);
LAPIDARY_KERNEL(MatrixDiagPartV3, runMatrixDiagPartV3);
LAPIDARY_KERNEL(BatchMatrixSetDiag, runMatrixSetDiag);
LAPIDARY_KERNEL(MatrixSetDiag, runMatrixSetDiag);
LAPIDARY_KERNEL(MatrixSetDiagV2, runMatrixSetDiagV2);
LAPIDARY_KERNEL(MatrixSetDiagV3, runMatrixSetDiagV3);

} // namespace lapidary
