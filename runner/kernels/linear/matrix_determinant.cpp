// SPDX-License-Identifier: Apache-2.0
// MatrixDeterminant: the determinant of each square matrix. LogMatrixDeterminant: its sign (a
// factor of magnitude 1 if it is complex) and the logarithm of its magnitude.
#include "runner/kernels/kernel.h"
#include "runner/kernels/linear/lu.h"

namespace lapidary {
namespace {

template <class T>
Status determinants(KernelContext& context, const SquareMatrices& matrices, std::span<T> y)
{
    using W = Precise<T>;
    ASSIGN_OR_RETURN(auto work, context.allocate(dtypeOf<W>(), {matrices.size, matrices.size}));
    const auto a = work.template mutableAs<W>();
    for (std::size_t i = 0; i < y.size(); ++i) {
        loadMatrix(context.input(0).as<T>().data() + i * a.size(), matrices.size, false, a.data());
        Lu<W> lu{.a = a.data(), .n = matrices.size};
        if (!lu.factorize(context.job()))
            return cancelledError();
        y[i] = T(lu.determinant());
    }
    return Done{};
}

Status runMatrixDeterminant(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto matrices, SquareMatrices::of(context, 0));
    Dims dims = context.input(0).dims();
    dims.resize(dims.size() - 2);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, context.input(0).dtype(), dims));
    Status status = Done{};
    const bool known = dispatch(MatrixTypes(), context.input(0).dtype(), [&](auto zero) {
        status = determinants(context, matrices, made.template mutableAs<decltype(zero)>());
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
    return status;
}

template <class T>
Status logDeterminants(KernelContext& context, const SquareMatrices& matrices, std::span<T> signs,
                       std::span<T> logarithms)
{
    using W = Precise<T>;
    ASSIGN_OR_RETURN(auto work, context.allocate(dtypeOf<W>(), {matrices.size, matrices.size}));
    const auto a = work.template mutableAs<W>();
    for (std::size_t i = 0; i < signs.size(); ++i) {
        loadMatrix(context.input(0).as<T>().data() + i * a.size(), matrices.size, false, a.data());
        Lu<W> lu{.a = a.data(), .n = matrices.size};
        if (!lu.factorize(context.job()))
            return cancelledError();
        W sign = W(double(lu.sign));
        double logarithm = 0;
        for (std::int64_t k = 0; k < matrices.size; ++k) {
            const W pivot = a[std::size_t(k * matrices.size + k)];
            const double magnitude = std::abs(pivot);
            sign *= magnitude == 0 ? W(0) : pivot / magnitude;
            logarithm += std::log(magnitude);
        }
        signs[i] = T(sign);
        logarithms[i] = T(W(logarithm));
    }
    return Done{};
}

Status runLogMatrixDeterminant(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto matrices, SquareMatrices::of(context, 0));
    const DType dtype = context.input(0).dtype();
    Dims dims = context.input(0).dims();
    dims.resize(dims.size() - 2);
    ASSIGN_OR_RETURN(auto signs, context.makeOutput(0, dtype, dims));
    ASSIGN_OR_RETURN(auto logarithms, context.makeOutput(1, dtype, dims));
    Status status = Done{};
    const bool known = dispatch(MatrixTypes(), dtype, [&](auto zero) {
        using T = decltype(zero);
        status = logDeterminants(context, matrices, signs.template mutableAs<T>(),
                                 logarithms.template mutableAs<T>());
    });
    return known ? status : context.error("has no kernel for " + dtypeName(dtype));
}

} // namespace

LAPIDARY_KERNEL(BatchMatrixDeterminant, runMatrixDeterminant);
LAPIDARY_KERNEL(LogMatrixDeterminant, runLogMatrixDeterminant);
LAPIDARY_KERNEL(MatrixDeterminant, runMatrixDeterminant);

} // namespace lapidary
