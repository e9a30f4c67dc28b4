// SPDX-License-Identifier: Apache-2.0
// MatrixSquareRoot and MatrixLogarithm: the principal root and logarithm of each matrix, computed
// from its Schur form. If there is none, all elements are NaN: a real root of a matrix with a
// negative eigenvalue, the logarithm of a singular one.
#include "runner/kernels/linear/complex_schur.h"
#include "runner/kernels/linear/lu.h"
#include "runner/kernels/scratch.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lapidary {
namespace {

using C = Complex128;

// A triangular matrix row by row.
struct Triangular {
    std::span<C> elements;
    std::int64_t n = 0;

    C& at(std::int64_t row, std::int64_t column) const
    {
        return elements[std::size_t(row * n + column)];
    }
};

// Takes the root in place, diagonal by diagonal (Bjorck, Hammarling). An element is NaN if both its
// eigenvalues are 0.
void takeRoot(const Triangular& t)
{
    for (std::int64_t i = 0; i < t.n; ++i)
        t.at(i, i) = std::sqrt(t.at(i, i));
    for (std::int64_t distance = 1; distance < t.n; ++distance)
        for (std::int64_t row = 0; row + distance < t.n; ++row) {
            stopPoint();
            const std::int64_t column = row + distance;
            C sum = t.at(row, column);
            for (std::int64_t k = row + 1; k < column; ++k)
                sum -= t.at(row, k) * t.at(k, column);
            t.at(row, column) = sum / (t.at(row, row) + t.at(column, column));
        }
}

// to = a b.
void multiply(const Triangular& a, const Triangular& b, const Triangular& to)
{
    for (std::int64_t row = 0; row < a.n; ++row)
        for (std::int64_t column = row; column < a.n; ++column) {
            stopPoint();
            C sum = 0;
            for (std::int64_t k = row; k <= column; ++k)
                sum += a.at(row, k) * b.at(k, column);
            to.at(row, column) = sum;
        }
}

double distanceFromOne(const Triangular& t)
{
    double largest = 0;
    for (std::int64_t column = 0; column < t.n; ++column) {
        double sum = 0;
        for (std::int64_t row = 0; row <= column; ++row)
            sum += std::abs(t.at(row, column) - C(double(row == column)));
        if (std::isnan(sum))
            return sum;
        largest = std::max(largest, sum);
    }
    return largest;
}

// Computes z = (t - 1) (t + 1)^-1, column by column from the left.
void takeQuotient(const Triangular& t, const Triangular& z)
{
    for (std::int64_t row = 0; row < t.n; ++row)
        for (std::int64_t column = row; column < t.n; ++column) {
            stopPoint();
            C sum = t.at(row, column) - C(double(row == column));
            for (std::int64_t k = row; k < column; ++k)
                sum -= z.at(row, k) * t.at(k, column);
            z.at(row, column) = sum / (t.at(column, column) + 1.0);
        }
}

// log t = 2^(k + 1) (z + z^3 / 3 + z^5 / 5 + ...), with the z of the matrix after k roots, which is
// near 1. `work` has space for three matrices. Returns false if there is no logarithm.
bool takeLogarithm(const Triangular& t, std::span<C> work)
{
    constexpr double near = 0.25;
    constexpr int mostRoots = 100;
    constexpr int terms = 12;
    const auto size = std::size_t(t.n * t.n);
    const Triangular power{work.first(size), t.n};
    const Triangular square{work.subspan(size, size), t.n};
    const Triangular next{work.subspan(2 * size, size), t.n};
    double scale = 2;
    for (int roots = 0; !(distanceFromOne(t) < near); ++roots, scale *= 2) {
        if (roots == mostRoots || std::isnan(distanceFromOne(t)))
            return false;
        takeRoot(t);
    }
    std::ranges::fill(work, C(0));
    takeQuotient(t, power);
    multiply(power, power, square);
    std::ranges::copy(power.elements, t.elements.begin());
    for (int term = 1; term <= terms; ++term) {
        multiply(power, square, next);
        std::ranges::copy(next.elements, power.elements.begin());
        for (std::size_t i = 0; i < size; ++i)
            t.elements[i] += power.elements[i] / double(2 * term + 1);
    }
    for (C& x : t.elements)
        x *= scale;
    return true;
}

bool hasNegativeEigenvalue(const ComplexSchur& schur)
{
    constexpr double nothing = 1e-12;
    for (std::int64_t i = 0; i < schur.n; ++i) {
        const C value = schur.at(i, i);
        if (value.real() < 0 && std::abs(value.imag()) <= nothing * std::abs(value))
            return true;
    }
    return false;
}

template <class T>
T stored(const C& x)
{
    if constexpr (isComplex<T>)
        return T(x);
    else
        return T(x.real());
}

// Stores u t u* of one matrix.
template <class T>
void storeProduct(const ComplexSchur& schur, T* to)
{
    std::vector<C> row(std::size_t(schur.n));
    for (std::int64_t i = 0; i < schur.n; ++i) {
        std::ranges::fill(row, C(0));
        const C* const u = schur.u.data() + i * schur.n;
        for (std::int64_t k = 0; k < schur.n; ++k)
            for (std::int64_t j = k; j < schur.n; ++j) {
                stopPoint();
                row[std::size_t(j)] += u[k] * schur.at(k, j);
            }
        for (std::int64_t j = 0; j < schur.n; ++j) {
            C sum = 0;
            for (std::int64_t k = 0; k < schur.n; ++k) {
                stopPoint();
                sum += row[std::size_t(k)] * std::conj(schur.u[std::size_t(j * schur.n + k)]);
            }
            to[i * schur.n + j] = stored<T>(sum);
        }
    }
}

template <class T, bool isRoot>
Status applyToEach(KernelContext& context, const SquareMatrices& matrices, Value& made)
{
    const std::int64_t n = matrices.size;
    const auto size = std::size_t(n * n);
    ASSIGN_OR_RETURN(auto scratch, Scratch<C>::make(context.session().pool, 5 * n * n));
    const std::span<C> all = scratch.all();
    const ComplexSchur schur{all.first(size), all.subspan(size, size), n};
    for (std::int64_t i = 0; i < matrices.batch; ++i) {
        std::copy_n(context.input(0).as<T>().data() + i * n * n, size, schur.t.begin());
        bool isKnown = schur.decompose();
        if constexpr (isRoot) {
            isKnown = isKnown && (isComplex<T> || !hasNegativeEigenvalue(schur));
            if (isKnown)
                takeRoot({schur.t, n});
        } else {
            isKnown = isKnown && takeLogarithm({schur.t, n}, all.subspan(2 * size));
        }
        T* const to = made.mutableAs<T>().data() + i * n * n;
        if (isKnown)
            storeProduct(schur, to);
        else
            std::fill_n(to, size, stored<T>(C(NAN, NAN)));
    }
    return Done{};
}

template <bool isRoot, class Types>
Status runMatrixFunction(KernelContext& context)
{
    return mapMatrices<Types>(context, [&](auto zero, const SquareMatrices& matrices, Value& made) {
        return applyToEach<decltype(zero), isRoot>(context, matrices, made);
    });
}

} // namespace

LAPIDARY_KERNEL(MatrixLogarithm, (runMatrixFunction<false, Complexes>));
LAPIDARY_KERNEL(MatrixSquareRoot, (runMatrixFunction<true, MatrixTypes>));

} // namespace lapidary
