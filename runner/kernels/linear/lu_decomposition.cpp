// SPDX-License-Identifier: Apache-2.0
// Lu: the lower and the upper triangle of each matrix in one matrix, and the permutation of its
// rows.
#include "runner/kernels/arrays/sizes.h"
#include "runner/kernels/linear/lu.h"

#include <numeric>

namespace lapidary {
namespace {

template <class T>
Status decomposeMatrices(KernelContext& context, const SquareMatrices& matrices, Value& made,
                         std::vector<std::int64_t>& rows)
{
    using W = Precise<T>;
    const std::int64_t n = matrices.size;
    ASSIGN_OR_RETURN(auto work, context.allocate(dtypeOf<W>(), {n, n}));
    const auto a = work.template mutableAs<W>();
    for (std::int64_t i = 0; i < matrices.batch; ++i) {
        loadMatrix(context.input(0).as<T>().data() + i * n * n, n, false, a.data());
        Lu<W> lu{.a = a.data(), .n = n};
        if (!lu.factorize(context.job()))
            return cancelledError();
        if (lu.isSingular)
            return context.error("matrix " + std::to_string(i) + " is not invertible");
        std::vector<std::int64_t> order(static_cast<std::size_t>(n));
        std::iota(order.begin(), order.end(), 0);
        for (std::int64_t step = 0; step < n; ++step)
            std::swap(order[std::size_t(step)], order[std::size_t(lu.swaps[std::size_t(step)])]);
        rows.insert(rows.end(), order.begin(), order.end());
        std::ranges::transform(a, made.mutableAs<T>().begin() + i * n * n,
                               [](W value) { return T(value); });
    }
    return Done{};
}

Status runLu(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto matrices, SquareMatrices::of(context, 0));
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, x.dtype(), x.dims()));
    std::vector<std::int64_t> rows;
    Status status = Done{};
    const bool known = dispatch(MatrixTypes(), x.dtype(), [&](auto zero) {
        if (x.elements() > 0)
            status = decomposeMatrices<decltype(zero)>(context, matrices, made, rows);
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    RETURN_IF_ERROR(status);
    Dims dims = x.dims();
    dims.pop_back();
    return setIntegers(context, 1, context.typeAttr("output_idx_type", DType::Int32), dims, rows);
}

} // namespace

LAPIDARY_KERNEL(Lu, runLu);

} // namespace lapidary
