// SPDX-License-Identifier: Apache-2.0
// MatrixSolveLs: the x for which |A x - b|^2 + l2_regularizer |x|^2 is least, for each matrix. With
// `fast`, it is computed by the normal equations; otherwise it is the shortest such x without the
// regularizer.
#include "runner/kernels/linear/jacobi_svd.h"
#include "runner/kernels/linear/lu.h"

#include <cstring>
#include <limits>

namespace lapidary {
namespace {

struct LeastSquares {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t sides = 0;
    std::int64_t batch = 0;
    double regularizer = 0;

    bool isWide() const { return rows < columns; }
    std::int64_t least() const { return std::min(rows, columns); }
    std::int64_t longest() const { return std::max(rows, columns); }
};

// The numbers of one matrix, its right-hand sides and the solution.
template <class T>
struct LeastSystem {
    const T* a = nullptr;
    const T* b = nullptr;
    T* x = nullptr;
};

// Returns an element of A or its conjugate transpose, whichever has at least as many rows as
// columns.
template <class T>
Precise<T> tallElement(const LeastSquares& sizes, const T* a, std::int64_t row, std::int64_t column)
{
    using W = Precise<T>;
    return sizes.isWide() ? conjugateOf(W(a[column * sizes.columns + row]))
                          : W(a[row * sizes.columns + column]);
}

// Computes C* C + l2_regularizer, where C is the tall one of A and A*.
template <class T>
void fillNormal(const LeastSquares& sizes, const T* a, std::span<Precise<T>> normal)
{
    using W = Precise<T>;
    const std::int64_t n = sizes.least();
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j <= i; ++j) {
            stopIfAsked();
            W sum = i == j ? W(sizes.regularizer) : W(0);
            for (std::int64_t k = 0; k < sizes.longest(); ++k)
                sum += conjugateOf(tallElement(sizes, a, k, i)) * tallElement(sizes, a, k, j);
            normal[std::size_t(i * n + j)] = sum;
            normal[std::size_t(j * n + i)] = conjugateOf(sum);
        }
}

// Computes y = op(C) z for `sides` columns; op is the conjugate transpose if `adjoint`.
template <class T, class From>
void multiplyTall(const LeastSquares& sizes, const T* a, bool adjoint, const From& z,
                  std::span<Precise<T>> y)
{
    const std::int64_t rows = adjoint ? sizes.least() : sizes.longest();
    const std::int64_t inner = adjoint ? sizes.longest() : sizes.least();
    for (std::int64_t i = 0; i < rows * sizes.sides; ++i) {
        stopPoint();
        Precise<T> sum = Precise<T>(0);
        for (std::int64_t k = 0; k < inner; ++k) {
            const std::int64_t row = i / sizes.sides;
            const auto element = adjoint ? conjugateOf(tallElement(sizes, a, k, row))
                                         : tallElement(sizes, a, row, k);
            sum += element * Precise<T>(z[std::size_t(k * sizes.sides + i % sizes.sides)]);
        }
        y[std::size_t(i)] = sum;
    }
}

template <class T>
Status solveNormal(KernelContext& context, const LeastSquares& sizes, const LeastSystem<T>& system)
{
    using W = Precise<T>;
    const std::int64_t n = sizes.least();
    ASSIGN_OR_RETURN(auto matrix, context.allocate(dtypeOf<W>(), {n, n}));
    ASSIGN_OR_RETURN(auto right, context.allocate(dtypeOf<W>(), {n, sizes.sides}));
    const auto normal = matrix.template mutableAs<W>();
    const auto z = right.template mutableAs<W>();
    fillNormal(sizes, system.a, normal);
    const std::span<const T> b(system.b, std::size_t(sizes.rows * sizes.sides));
    if (sizes.isWide())
        std::ranges::transform(b, z.begin(), [](T value) { return W(value); });
    else
        multiplyTall(sizes, system.a, true, b, z);
    Lu<W> lu{.a = normal.data(), .n = n};
    if (!lu.factorize(context.job()))
        return cancelledError();
    if (lu.isSingular)
        return context.error("a matrix has dependent columns: set fast=false or a larger "
                             "l2_regularizer");
    lu.solve(z.data(), sizes.sides);
    const auto give = [](W value) { return T(value); };
    if (!sizes.isWide()) {
        std::ranges::transform(z, system.x, give);
        return Done{};
    }
    ASSIGN_OR_RETURN(auto wide, context.allocate(dtypeOf<W>(), {sizes.columns, sizes.sides}));
    const auto x = wide.template mutableAs<W>();
    multiplyTall(sizes, system.a, false, z, x);
    std::ranges::transform(x, system.x, give);
    return Done{};
}

// Computes x = V S^-1 U* b without the singular values that are 0 up to rounding.
template <class T>
Status solveShortest(KernelContext& context, const LeastSquares& sizes,
                     const LeastSystem<T>& system)
{
    using W = Precise<T>;
    using Real = decltype(std::abs(T()));
    const std::int64_t n = sizes.least();
    jacobi::Decomposition<W> made(n, sizes.longest(), n);
    for (std::int64_t column = 0; column < n; ++column)
        for (std::int64_t row = 0; row < sizes.longest(); ++row)
            made.u[column][std::size_t(row)] = tallElement(sizes, system.a, row, column);
    if (!made.run(context.job()))
        return cancelledError();
    auto& left = sizes.isWide() ? made.v : made.u;
    auto& right = sizes.isWide() ? made.u : made.v;
    const double smallest = made.s[0] * double(std::numeric_limits<Real>::epsilon()) * double(n);
    for (std::int64_t side = 0; side < sizes.sides; ++side) {
        std::vector<W> x(std::size_t(sizes.columns), W(0));
        for (std::int64_t k = 0; k < n && !(made.s[std::size_t(k)] <= smallest); ++k) {
            stopIfAsked();
            W factor = W(0);
            for (std::int64_t row = 0; row < sizes.rows; ++row)
                factor +=
                    conjugateOf(left[k][std::size_t(row)]) * W(system.b[row * sizes.sides + side]);
            factor /= made.s[std::size_t(k)];
            for (std::size_t i = 0; i < x.size(); ++i)
                x[i] += right[k][i] * factor;
        }
        for (std::int64_t i = 0; i < sizes.columns; ++i)
            system.x[i * sizes.sides + side] = T(x[std::size_t(i)]);
    }
    return Done{};
}

Result<LeastSquares> leastSquaresOf(const KernelContext& context)
{
    const Dims& a = context.input(0).dims();
    const Dims& b = context.input(1).dims();
    if (a.size() < 2 || b.size() != a.size() || !std::equal(a.begin(), a.end() - 1, b.begin()))
        return context.error("right-hand sides of shape " + dimsText(b) +
                             " do not fit matrices of shape " + dimsText(a));
    if (!context.input(2).isScalar())
        return context.error("l2_regularizer must be a scalar, but its shape is " +
                             dimsText(context.input(2).dims()));
    LeastSquares sizes{a[a.size() - 2], a.back(), b.back()};
    sizes.batch = 1;
    for (std::size_t axis = 0; axis + 2 < a.size(); ++axis)
        sizes.batch *= a[axis];
    sizes.regularizer = context.input(2).as<double>()[0];
    if (!(sizes.regularizer >= 0))
        return context.error("l2_regularizer must not be negative, but it is " +
                             std::to_string(sizes.regularizer));
    return sizes;
}

Status runMatrixSolveLs(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto sizes, leastSquaresOf(context));
    Dims dims = context.input(1).dims();
    dims[dims.size() - 2] = sizes.columns;
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, context.input(0).dtype(), dims));
    if (made.elements() == 0)
        return Done{};
    if (sizes.rows == 0) { // there are no equations for x
        std::memset(made.mutableAs<std::uint8_t>().data(), 0, made.byteCount());
        return Done{};
    }
    const bool isFast = context.boolAttr("fast", true);
    Status status = Done{};
    const bool known = dispatch(MatrixTypes(), made.dtype(), [&](auto zero) {
        using T = decltype(zero);
        for (std::int64_t i = 0; i < sizes.batch && status; ++i) {
            const LeastSystem<T> system{
                context.input(0).as<T>().data() + i * sizes.rows * sizes.columns,
                context.input(1).as<T>().data() + i * sizes.rows * sizes.sides,
                made.template mutableAs<T>().data() + i * sizes.columns * sizes.sides};
            status = isFast ? solveNormal(context, sizes, system)
                            : solveShortest(context, sizes, system);
        }
    });
    return known ? status : context.error("has no kernel for " + dtypeName(made.dtype()));
}

} // namespace

LAPIDARY_KERNEL(BatchMatrixSolveLs, runMatrixSolveLs);
LAPIDARY_KERNEL(MatrixSolveLs, runMatrixSolveLs);

} // namespace lapidary
