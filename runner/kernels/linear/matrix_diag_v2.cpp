// MatrixDiagV2: matrices with the given band of diagonals. The size is given or as small as can be.
#include "runner/kernels/linear/diagonal_band.h"
#include "runner/kernels/linear/kernels.h"

namespace lapidary {
namespace {

Result<std::int64_t> sizeOf(const KernelContext& context, std::size_t input)
{
    if (context.input(input).elements() != 1)
        return context.error("num_rows and num_cols must be scalars, but one has shape " +
                             dimsText(context.input(input).dims()));
    return context.input(input).integers()[0];
}

// Sets rows and columns; -1 stands for the smallest that the diagonals fit into.
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

Status run(KernelContext& context)
{
    auto band = DiagonalBand::of(context, 1);
    if (!band)
        return band.error();
    const Dims& dims = context.input(0).dims();
    constexpr std::int64_t far = std::int64_t(1) << 40;
    if (band.value().lower <= -far || band.value().upper >= far)
        return context.error("there is no matrix with such diagonals");
    const bool isBand = band.value().count() > 1;
    if (dims.size() < (isBand ? 2 : 1) || (isBand && dims[dims.size() - 2] != band.value().count()))
        return context.error("a tensor of shape " + dimsText(dims) + " does not hold " +
                             std::to_string(band.value().count()) + " diagonals");
    if (const Status status = setSize(context, band.value(), dims.back()); !status)
        return status;
    if (band.value().longest() != dims.back())
        return context.error("diagonals of length " + std::to_string(dims.back()) +
                             " do not fit matrices of " + std::to_string(band.value().rows) +
                             " x " + std::to_string(band.value().columns));
    return placeDiagonals(context, band.value(), &context.input(4));
}

} // namespace

const Kernel kernels::matrixDiagV2{.op = "MatrixDiagV2", .run = run};

} // namespace lapidary
