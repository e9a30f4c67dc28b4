// SPDX-License-Identifier: Apache-2.0
// SparseSegmentMeanGrad, SparseSegmentSqrtNGrad: the gradients for the data of SparseSegmentMean
// and SqrtN. Row indices[i] gets row segment_ids[i] of `grad` divided by the number of that
// segment's rows, or by its root; rows that the forward op did not read get 0.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace lapidary {
namespace {

// Rows of `grad` with the rows of the output to which they are added, and their factors.
struct RowsBack {
    std::vector<std::int64_t> to;
    std::vector<std::int64_t> from;
    std::vector<double> factors; // of each segment
    std::int64_t count = 0;      // rows of the output
};

std::string outside(std::string_view what, std::int64_t number, std::int64_t end)
{
    return std::string(what) + " " + std::to_string(number) + " is not in [0, " +
           std::to_string(end) + ")";
}

Result<RowsBack> rowsBack(const KernelContext& context)
{
    const Value& grad = context.input(0);
    if (grad.rank() < 1)
        return context.error("grad must have a row for each segment, but is a single number");
    RowsBack rows{.to = context.input(1).integers(),
                  .from = context.input(2).integers(),
                  .factors = std::vector<double>(std::size_t(grad.dim(0)), 0),
                  .count = context.input(3).integers()[0]};
    if (rows.to.size() != rows.from.size())
        return context.error("indices and segment ids must be vectors of one length, but are " +
                             dimsText(context.input(1).dims()) + " and " +
                             dimsText(context.input(2).dims()));
    if (rows.count < 0)
        return context.error("output_dim0 is " + std::to_string(rows.count));
    for (const std::int64_t row : rows.to)
        if (row < 0 || row >= rows.count)
            return context.error(outside("index", row, rows.count));
    for (const std::int64_t segment : rows.from) {
        if (segment < 0 || segment >= grad.dim(0))
            return context.error(outside("segment id", segment, grad.dim(0)));
        ++rows.factors[std::size_t(segment)];
    }
    return rows;
}

template <class T>
void addRowsBack(const RowsBack& rows, std::span<const T> grad, std::span<T> y)
{
    std::ranges::fill(y, T(0));
    if (y.empty())
        return;
    const std::size_t size = y.size() / std::size_t(rows.count);
    for (std::size_t i = 0; i < rows.to.size(); ++i) {
        const auto factor = T(rows.factors[std::size_t(rows.from[i])]);
        const T* from = grad.data() + std::size_t(rows.from[i]) * size;
        T* to = y.data() + std::size_t(rows.to[i]) * size;
        for (std::size_t k = 0; k < size; ++k)
            to[k] += from[k] * factor;
    }
}

template <bool isRoot>
Status runSparseSegmentGrad(KernelContext& context)
{
    ASSIGN_OR_RETURN(auto rows, rowsBack(context));
    for (double& factor : rows.factors) {
        const double count = std::max(factor, 1.0);
        factor = 1 / (isRoot ? std::sqrt(count) : count);
    }
    const Value& grad = context.input(0);
    Dims dims = grad.dims();
    dims[0] = rows.count;
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, grad.dtype(), dims));
    const bool known = dispatch(TypeList<float, double>(), grad.dtype(), [&](auto zero) {
        using T = decltype(zero);
        addRowsBack(rows, grad.as<T>(), y.template mutableAs<T>());
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(grad.dtype()));
}

} // namespace

LAPIDARY_KERNEL(SparseSegmentMeanGrad, runSparseSegmentGrad<false>,
                .ranks = {Rank::Any, Rank::Vector, Rank::Vector, Rank::Scalar});
LAPIDARY_KERNEL(SparseSegmentSqrtNGrad, runSparseSegmentGrad<true>,
                .ranks = {Rank::Any, Rank::Vector, Rank::Vector, Rank::Scalar});

} // namespace lapidary
