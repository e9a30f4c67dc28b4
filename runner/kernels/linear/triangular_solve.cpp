// SPDX-License-Identifier: Apache-2.0
// MatrixTriangularSolve: the solution x of A x = b for each matrix, of which only one triangle is
// read: the lower one if `lower`, else the upper one. With `adjoint`, A is its conjugate transpose.
#include "runner/kernels/linear/lu.h"

namespace lapidary {
namespace {

// The triangle of the matrix, or of its conjugate transpose.
template <class T>
struct Triangle {
    const T* from = nullptr;
    std::int64_t n = 0;
    bool adjoint = false;

    Precise<T> at(std::int64_t row, std::int64_t column) const
    {
        if (!adjoint)
            return Precise<T>(from[row * n + column]);
        const auto value = Precise<T>(from[column * n + row]);
        if constexpr (isComplex<T>)
            return std::conj(value);
        else
            return value;
    }
};

// Computes the rows of x in the possible order: from the top if the triangle is the lower one, else
// from the bottom. Returns false if a diagonal element is 0.
template <class T>
bool solveTriangle(const Triangle<T>& a, bool fromTop, std::int64_t columns,
                   std::span<Precise<T>> x)
{
    for (std::int64_t step = 0; step < a.n; ++step) {
        const std::int64_t row = fromTop ? step : a.n - 1 - step;
        const Precise<T> pivot = a.at(row, row);
        if (pivot == Precise<T>(0))
            return false;
        for (std::int64_t done = 0; done < step; ++done) {
            const std::int64_t k = fromTop ? done : a.n - 1 - done;
            const Precise<T> factor = a.at(row, k);
            for (std::int64_t c = 0; c < columns; ++c)
                x[std::size_t(row * columns + c)] -= factor * x[std::size_t(k * columns + c)];
        }
        for (std::int64_t c = 0; c < columns; ++c)
            x[std::size_t(row * columns + c)] /= pivot;
    }
    return true;
}

template <class T>
Status solveAll(KernelContext& context, const SquareMatrices& matrices, std::int64_t columns,
                std::span<T> y)
{
    const bool adjoint = context.boolAttr("adjoint");
    const bool fromTop = context.boolAttr("lower", true) != adjoint;
    const auto a = context.input(0).as<T>();
    const auto b = context.input(1).as<T>();
    ASSIGN_OR_RETURN(auto work, context.allocate(dtypeOf<Precise<T>>(), {matrices.size, columns}));
    const auto x = work.template mutableAs<Precise<T>>();
    for (std::int64_t i = 0; i < matrices.batch; ++i) {
        if (context.job().cancelled())
            return cancelledError();
        const std::size_t at = std::size_t(i) * x.size();
        std::ranges::transform(b.subspan(at, x.size()), x.begin(),
                               [](T value) { return Precise<T>(value); });
        const Triangle<T> triangle{a.data() + i * matrices.size * matrices.size, matrices.size,
                                   adjoint};
        if (!solveTriangle(triangle, fromTop, columns, x))
            return context.error("matrix " + std::to_string(i) +
                                 " is not invertible: its diagonal has a 0");
        std::ranges::transform(x, y.begin() + std::ptrdiff_t(at),
                               [](Precise<T> value) { return T(value); });
    }
    return Done{};
}

Status runMatrixTriangularSolve(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto matrices, SquareMatrices::of(context, 0));
    const Dims& a = context.input(0).dims();
    const Dims& b = context.input(1).dims();
    if (b.size() != a.size() || !std::equal(a.begin(), a.end() - 1, b.begin()))
        return context.error("right-hand sides of shape " + dimsText(b) +
                             " do not fit matrices of shape " + dimsText(a));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, context.input(0).dtype(), b));
    if (made.elements() == 0)
        return Done{};
    Status status = Done{};
    const bool known = dispatch(MatrixTypes(), context.input(0).dtype(), [&](auto zero) {
        using T = decltype(zero);
        status = solveAll<T>(context, matrices, b.back(), made.template mutableAs<T>());
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(context.input(0).dtype()));
    return status;
}

} // namespace

LAPIDARY_KERNEL(BatchMatrixTriangularSolve, runMatrixTriangularSolve);
LAPIDARY_KERNEL(MatrixTriangularSolve, runMatrixTriangularSolve);

} // namespace lapidary
