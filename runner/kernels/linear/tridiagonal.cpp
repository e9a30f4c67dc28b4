// SPDX-License-Identifier: Apache-2.0
// TridiagonalSolve: the solutions of systems whose matrices have three diagonals, given as rows:
// above, on and below the main one. TridiagonalMatMul: products of such matrices.
#include "runner/kernels/linear/lu.h"

#include <span>

namespace lapidary {
namespace {

// A system being solved: rows of three diagonals, and of one more that pivoting fills.
template <class W>
struct TridiagonalSystem {
    std::int64_t n = 0;
    std::int64_t columns = 0;
    std::span<W> lower;
    std::span<W> main;
    std::span<W> upper;
    std::span<W> second; // above `upper`
    std::span<W> right;  // becomes the solution

    std::span<W> row(std::int64_t i)
    {
        return right.subspan(std::size_t(i * columns), std::size_t(columns));
    }
};

// Makes the element below the diagonal of row i + 1 zero.
template <class W>
void eliminate(TridiagonalSystem<W>& system, std::int64_t i, bool pivots)
{
    const auto at = std::size_t(i);
    if (pivots && std::abs(system.lower[at + 1]) > std::abs(system.main[at])) {
        std::swap(system.main[at], system.lower[at + 1]);
        std::swap(system.upper[at], system.main[at + 1]);
        if (i + 2 < system.n)
            std::swap(system.second[at], system.upper[at + 1]);
        std::ranges::swap_ranges(system.row(i), system.row(i + 1));
    }
    if (system.main[at] == W(0))
        return;
    const W factor = system.lower[at + 1] / system.main[at];
    system.main[at + 1] -= factor * system.upper[at];
    if (i + 2 < system.n)
        system.upper[at + 1] -= factor * system.second[at];
    for (std::int64_t c = 0; c < system.columns; ++c)
        system.row(i + 1)[std::size_t(c)] -= factor * system.row(i)[std::size_t(c)];
}

// Returns whether the matrix is invertible.
template <class W>
bool solveTridiagonal(TridiagonalSystem<W>& system, bool pivots)
{
    for (std::int64_t i = 0; i < system.n; ++i) {
        stopPoint();
        if (i + 1 < system.n)
            eliminate(system, i, pivots);
        if (system.main[std::size_t(i)] == W(0))
            return false;
    }
    for (std::int64_t i = system.n; i-- > 0;) {
        stopPoint();
        for (std::int64_t c = 0; c < system.columns; ++c) {
            W value = system.row(i)[std::size_t(c)];
            if (i + 1 < system.n)
                value -= system.upper[std::size_t(i)] * system.row(i + 1)[std::size_t(c)];
            if (i + 2 < system.n)
                value -= system.second[std::size_t(i)] * system.row(i + 2)[std::size_t(c)];
            system.row(i)[std::size_t(c)] = value / system.main[std::size_t(i)];
        }
    }
    return true;
}

template <class T>
Status solveTridiagonals(KernelContext& context, Value& made)
{
    using W = Precise<T>;
    const Value& diagonals = context.input(0);
    const Value& right = context.input(1);
    const std::int64_t n = diagonals.dims().back();
    const std::int64_t columns = right.dims().back();
    ASSIGN_OR_RETURN(auto work, context.allocate(dtypeOf<W>(), {4 + columns, n}));
    const auto all = work.template mutableAs<W>();
    const auto part = [&](int i) { return all.subspan(std::size_t(i * n), std::size_t(n)); };
    TridiagonalSystem<W> system{
        n, columns, part(2), part(1), part(0), part(3), all.subspan(std::size_t(4 * n))};
    const auto widen = [](T value) { return W(value); };
    for (std::int64_t i = 0; i < right.elements() / (n * columns); ++i) {
        std::ranges::transform(
            diagonals.as<T>().subspan(std::size_t(i * 3 * n), std::size_t(3 * n)), all.begin(),
            widen);
        std::ranges::fill(system.second, W(0));
        const std::size_t at = std::size_t(i) * system.right.size();
        std::ranges::transform(right.as<T>().subspan(at, system.right.size()), system.right.begin(),
                               widen);
        if (!solveTridiagonal(system, context.boolAttr("partial_pivoting", true)))
            return context.error("matrix " + std::to_string(i) + " is not invertible");
        std::ranges::transform(system.right, made.mutableAs<T>().begin() + std::ptrdiff_t(at),
                               [](W value) { return T(value); });
    }
    return Done{};
}

Status runTridiagonalSolve(KernelContext& context)
{
    const Dims& diagonals = context.input(0).dims();
    const Dims& right = context.input(1).dims();
    if (diagonals.size() < 2 || right.size() != diagonals.size() ||
        !std::equal(right.begin(), right.end() - 2, diagonals.begin()) ||
        diagonals[diagonals.size() - 2] != 3 || diagonals.back() != right[right.size() - 2])
        return context.error("diagonals must have the shape [...,3,m] and right-hand sides " +
                             std::string("[...,m,k], but theirs are ") + dimsText(diagonals) +
                             " and " + dimsText(right));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, context.input(1).dtype(), right));
    Status status = Done{};
    const bool known = dispatch(MatrixTypes(), made.dtype(), [&](auto zero) {
        if (made.elements() > 0)
            status = solveTridiagonals<decltype(zero)>(context, made);
    });
    return known ? status : context.error("has no kernel for " + dtypeName(made.dtype()));
}

Status checkDiagonals(const KernelContext& context)
{
    const Dims& right = context.input(3).dims();
    if (right.size() < 2)
        return context.error("rhs needs matrices, but the shape is " + dimsText(right));
    Dims wanted(right.begin(), right.end() - 2);
    wanted.push_back(1);
    wanted.push_back(right[right.size() - 2]);
    for (std::size_t i = 0; i < 3; ++i)
        if (context.input(i).dims() != wanted)
            return context.error("diagonal " + std::to_string(i) + " must have the shape " +
                                 dimsText(wanted) + ", not " + dimsText(context.input(i).dims()));
    return Done{};
}

Status runTridiagonalMatMul(KernelContext& context)
{
    RETURN_IF_ERROR(checkDiagonals(context));
    const Value& x = context.input(3);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, x.dtype(), x.dims()));
    const std::int64_t n = x.dim(x.rank() - 2);
    const std::int64_t columns = x.dim(x.rank() - 1);
    const bool known = dispatch(MatrixTypes(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto from = x.as<T>();
        const auto to = made.template mutableAs<T>();
        for (std::size_t i = 0; i < to.size(); ++i) {
            stopPoint();
            const std::size_t row = i / std::size_t(columns);
            T sum = context.input(1).as<T>()[row] * from[i];
            if (std::int64_t(row) % n > 0)
                sum += context.input(2).as<T>()[row] * from[i - std::size_t(columns)];
            if (std::int64_t(row) % n + 1 < n)
                sum += context.input(0).as<T>()[row] * from[i + std::size_t(columns)];
            to[i] = sum;
        }
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

LAPIDARY_KERNEL(TridiagonalMatMul, runTridiagonalMatMul);
LAPIDARY_KERNEL(TridiagonalSolve, runTridiagonalSolve);

} // namespace lapidary
