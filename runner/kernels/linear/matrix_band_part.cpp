// SPDX-License-Identifier: Apache-2.0
// MatrixBandPart: each matrix with zeros outside of a band around its main diagonal. A negative
// bound keeps all diagonals on its side.
#include "runner/kernels/elements_by_size.h"
#include "runner/kernels/kernel.h"

namespace lapidary {
namespace {

struct Band {
    std::int64_t below = 0; // number of diagonals; negative: all
    std::int64_t above = 0;

    bool has(std::int64_t row, std::int64_t column) const
    {
        return (below < 0 || row - column <= below) && (above < 0 || column - row <= above);
    }
};

Result<Band> bandOf(const KernelContext& context)
{
    const Dims& dims = context.input(0).dims();
    if (dims.size() < 2)
        return context.error("needs matrices, but the shape is " + dimsText(dims));
    if (!context.input(1).isScalar() || !context.input(2).isScalar())
        return context.error("num_lower and num_upper must be scalars, but have shapes " +
                             dimsText(context.input(1).dims()) + " and " +
                             dimsText(context.input(2).dims()));
    const Band band{context.input(1).integers()[0], context.input(2).integers()[0]};
    if (band.below > dims[dims.size() - 2] || band.above > dims.back())
        return context.error("a band of " + std::to_string(band.below) + " below and " +
                             std::to_string(band.above) +
                             " above is larger than matrices of shape " + dimsText(dims));
    return band;
}

Status runMatrixBandPart(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto band, bandOf(context));
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, x.dtype(), x.dims()));
    const std::int64_t rows = x.dim(x.rank() - 2);
    const std::int64_t columns = x.dim(x.rank() - 1);
    const bool known = dispatchBySize(x.dtype(), [&](const auto& zero) {
        using T = std::decay_t<decltype(zero)>;
        const auto from = readElements<T>(x);
        const auto to = writeElements<T>(made);
        for (std::size_t i = 0; i < to.size(); ++i) {
            const std::int64_t row = std::int64_t(i) / columns % rows;
            const std::int64_t column = std::int64_t(i) % columns;
            to[i] = band.has(row, column) ? from[i] : T();
        }
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

LAPIDARY_KERNEL(BatchMatrixBandPart, runMatrixBandPart);
LAPIDARY_KERNEL(MatrixBandPart, runMatrixBandPart);

} // namespace lapidary
