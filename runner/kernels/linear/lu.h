// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "runner/guard/run_guard.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace lapidary {

// The type for computations: double for float, complex128 for complex64.
template <class T>
using Precise = std::conditional_t<isComplex<T>, Complex128, double>;
using MatrixTypes = TypeList<float, double, Complex64, Complex128>;

inline double conjugateOf(double x)
{
    return x;
}
inline Complex128 conjugateOf(const Complex128& x)
{
    return std::conj(x);
}

// A batch of square matrices.
struct SquareMatrices {
    std::int64_t size = 0;
    std::int64_t batch = 0;

    // Reads the sizes of input `i`.
    static Result<SquareMatrices> of(const KernelContext& context, std::size_t i);
};

// Makes output 0 with the sizes and the type of input 0, and calls compute(zero of that type,
// matrices, output) to fill it.
template <class Types, class Compute>
Status mapMatrices(KernelContext& context, const Compute& compute)
{
    ASSIGN_OR_RETURN(const auto matrices, SquareMatrices::of(context, 0));
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, x.dtype(), x.dims()));
    if (x.elements() == 0)
        return Done{};
    Status status = Done{};
    const bool known =
        dispatch(Types(), x.dtype(), [&](auto zero) { status = compute(zero, matrices, made); });
    return known ? status : context.error("has no kernel for " + dtypeName(x.dtype()));
}

// Copies one matrix, row by row, in the type for computations; `adjoint`: its conjugate transpose.
template <class T>
void loadMatrix(const T* from, std::int64_t n, bool adjoint, Precise<T>* to)
{
    for (std::int64_t row = 0; row < n; ++row)
        for (std::int64_t column = 0; column < n; ++column) {
            const auto value = Precise<T>(from[row * n + column]);
            if (!adjoint)
                to[row * n + column] = value;
            else if constexpr (isComplex<T>)
                to[column * n + row] = std::conj(value);
            else
                to[column * n + row] = value;
        }
}

// The decomposition P A = L U, in place, row by row; the diagonal of L is 1. O(n^3).
template <class W>
struct Lu {
    W* a = nullptr;
    std::int64_t n = 0;
    std::vector<std::int64_t> swaps = {}; // step i exchanged rows i and swaps[i]
    int sign = 1;
    bool isSingular = false;

    // Returns false if the job was cancelled.
    bool factorize(const Job& job)
    {
        for (std::int64_t step = 0; step < n; ++step) {
            if (job.cancelled())
                return false;
            swapBest(step);
            const W pivot = a[step * n + step];
            if (pivot == W(0)) {
                isSingular = true;
                continue;
            }
            for (std::int64_t row = step + 1; row < n; ++row) {
                const W factor = a[row * n + step] / pivot;
                a[row * n + step] = factor;
                for (std::int64_t k = step + 1; k < n; ++k)
                    a[row * n + k] -= factor * a[step * n + k];
            }
        }
        return true;
    }

    W determinant() const
    {
        W product = W(double(sign));
        for (std::int64_t i = 0; i < n; ++i)
            product *= a[i * n + i];
        return product;
    }

    // Replaces b by the solution x of A x = b, for `columns` right-hand sides.
    void solve(W* b, std::int64_t columns) const
    {
        for (std::int64_t i = 0; i < n; ++i)
            if (swaps[std::size_t(i)] != i)
                std::swap_ranges(b + i * columns, b + (i + 1) * columns,
                                 b + swaps[std::size_t(i)] * columns);
        for (std::int64_t row = 0; row < n; ++row)
            for (std::int64_t k = 0; k < row; ++k)
                subtractRow(b, columns, row, k);
        for (std::int64_t row = n; row-- > 0;) {
            for (std::int64_t k = row + 1; k < n; ++k)
                subtractRow(b, columns, row, k);
            for (std::int64_t c = 0; c < columns; ++c)
                b[row * columns + c] /= a[row * n + row];
        }
    }

private:
    void subtractRow(W* b, std::int64_t columns, std::int64_t row, std::int64_t k) const
    {
        stopPoint();
        const W factor = a[row * n + k];
        for (std::int64_t c = 0; c < columns; ++c)
            b[row * columns + c] -= factor * b[k * columns + c];
    }

    void swapBest(std::int64_t step)
    {
        std::int64_t best = step;
        for (std::int64_t row = step + 1; row < n; ++row)
            if (std::abs(a[row * n + step]) > std::abs(a[best * n + step]))
                best = row;
        swaps.push_back(best);
        if (best == step)
            return;
        sign = -sign;
        std::swap_ranges(a + step * n, a + (step + 1) * n, a + best * n);
    }
};

} // namespace lapidary
