// SPDX-License-Identifier: Apache-2.0
// Cholesky: the lower triangular L with L L* = x, of each matrix; only its lower half is read.
#include "runner/kernels/kernel.h"
#include "runner/kernels/linear/lu.h"

namespace lapidary {
namespace {

double realPart(double x)
{
    return x;
}
double realPart(const Complex128& x)
{
    return x.real();
}

// Works row by row in place; returns false if the matrix is not positive definite.
template <class W>
bool factorize(W* a, std::int64_t n)
{
    for (std::int64_t row = 0; row < n; ++row) {
        stopIfAsked();
        for (std::int64_t column = 0; column <= row; ++column) {
            W sum = a[row * n + column];
            for (std::int64_t k = 0; k < column; ++k)
                sum -= a[row * n + k] * conjugateOf(a[column * n + k]);
            if (column < row)
                a[row * n + column] = sum / a[column * n + column];
            else if (!(realPart(sum) > 0))
                return false;
            else
                a[row * n + row] = W(std::sqrt(realPart(sum)));
        }
    }
    return true;
}

template <class T>
Status factorizeAll(KernelContext& context, const SquareMatrices& matrices, std::span<T> y)
{
    using W = Precise<T>;
    const std::int64_t n = matrices.size;
    ASSIGN_OR_RETURN(auto work, context.allocate(dtypeOf<W>(), {n, n}));
    const auto a = work.template mutableAs<W>();
    for (std::int64_t i = 0; i < matrices.batch; ++i) {
        if (context.job().cancelled())
            return cancelledError();
        loadMatrix(context.input(0).as<T>().data() + i * n * n, n, false, a.data());
        if (!factorize(a.data(), n))
            return context.error("matrix " + std::to_string(i) + " is not positive definite");
        for (std::int64_t row = 0; row < n; ++row)
            for (std::int64_t column = 0; column < n; ++column)
                y[std::size_t((i * n + row) * n + column)] =
                    column <= row ? T(a[std::size_t(row * n + column)]) : T(0);
    }
    return Done{};
}

Status runCholesky(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto matrices, SquareMatrices::of(context, 0));
    ASSIGN_OR_RETURN(auto made,
                     context.makeOutput(0, context.input(0).dtype(), context.input(0).dims()));
    if (made.elements() == 0)
        return Done{};
    Status status = Done{};
    const bool known = dispatch(MatrixTypes(), context.input(0).dtype(), [&](auto zero) {
        status = factorizeAll(context, matrices, made.template mutableAs<decltype(zero)>());
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
    return status;
}

} // namespace

LAPIDARY_KERNEL(BatchCholesky, runCholesky);
LAPIDARY_KERNEL(Cholesky, runCholesky);

} // namespace lapidary
