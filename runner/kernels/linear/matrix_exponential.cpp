// SPDX-License-Identifier: Apache-2.0
// MatrixExponential: e^A of each matrix by scaling and squaring. A is halved until its norm is
// small enough for the Pade approximant of degree 13, whose result is squared as often (Higham, The
// Scaling and Squaring Method for the Matrix Exponential Revisited, 2005). O(n^3) for each halving.
// If an element is not finite, all elements of the result are NaN.
#include "runner/kernels/linear/lu.h"
#include "runner/kernels/scratch.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {
namespace {

// Coefficients of the numerator; those of the denominator have alternating signs.
constexpr std::array pade{64764752532480000.0,
                          32382376266240000.0,
                          7771770303897600.0,
                          1187353796428800.0,
                          129060195264000.0,
                          10559470521600.0,
                          670442572800.0,
                          33522128640.0,
                          1323241920.0,
                          40840800.0,
                          960960.0,
                          16380.0,
                          182.0,
                          1.0};
constexpr double largestNorm = 5.371920351148152; // up to it degree 13 is precise

// A matrix row by row.
template <class W>
using Square = std::span<W>;

template <class W>
void multiplySquares(Square<const W> a, Square<const W> b, std::int64_t n, Square<W> to)
{
    std::ranges::fill(to, W(0));
    for (std::int64_t row = 0; row < n; ++row)
        for (std::int64_t k = 0; k < n; ++k) {
            stopPoint();
            const W factor = a[std::size_t(row * n + k)];
            for (std::int64_t column = 0; column < n; ++column)
                to[std::size_t(row * n + column)] += factor * b[std::size_t(k * n + column)];
        }
}

// Returns the largest sum of magnitudes in a column; NaN if an element is.
template <class W>
double normOf(Square<const W> a, std::int64_t n)
{
    double largest = 0;
    for (std::int64_t column = 0; column < n; ++column) {
        double sum = 0;
        for (std::int64_t row = 0; row < n; ++row)
            sum += std::abs(a[std::size_t(row * n + column)]);
        largest = std::isnan(sum) ? sum : std::max(largest, sum);
        if (std::isnan(largest))
            return largest;
    }
    return largest;
}

// The matrices that one exponential needs.
template <class W>
struct Workspace {
    std::int64_t n = 0;
    Square<W> a, second, fourth, sixth, odd, even, product;

    static constexpr std::int64_t count = 7;

    Workspace(std::span<W> all, std::int64_t size)
        : n(size)
    {
        const auto each = std::size_t(n * n);
        std::size_t at = 0;
        for (Square<W>* matrix : {&a, &second, &fourth, &sixth, &odd, &even, &product})
            *matrix = all.subspan(each * at++, each);
    }

    void scale(double factor) const
    {
        for (W& x : a)
            x *= factor;
    }
    // Adds c6 A^6 + c4 A^4 + c2 A^2 to `to`.
    void addEvenPowers(Square<W> to, std::size_t c6, std::size_t c4, std::size_t c2) const
    {
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] += pade[c6] * sixth[i] + pade[c4] * fourth[i] + pade[c2] * second[i];
    }
    void addIdentity(Square<W> to, double factor) const
    {
        for (std::int64_t i = 0; i < n; ++i)
            to[std::size_t(i * (n + 1))] += factor;
    }
    // Computes the odd and the even part of the numerator.
    void makeParts() const
    {
        multiplySquares<W>(a, a, n, second);
        multiplySquares<W>(second, second, n, fourth);
        multiplySquares<W>(fourth, second, n, sixth);
        std::ranges::fill(odd, W(0));
        addEvenPowers(odd, 13, 11, 9);
        multiplySquares<W>(sixth, odd, n, product);
        addEvenPowers(product, 7, 5, 3);
        addIdentity(product, pade[1]);
        multiplySquares<W>(a, product, n, odd);
        std::ranges::fill(product, W(0));
        addEvenPowers(product, 12, 10, 8);
        multiplySquares<W>(sixth, product, n, even);
        addEvenPowers(even, 6, 4, 2);
        addIdentity(even, pade[0]);
    }
};

// Replaces `a` by e^a; returns false if the job was cancelled.
template <class W>
bool exponentiate(const Workspace<W>& work, const Job& job)
{
    int halvings = 0;
    const double norm = normOf<W>(work.a, work.n);
    if (!std::isfinite(norm)) {
        std::ranges::fill(work.a, W(NAN));
        return true;
    }
    if (norm > largestNorm)
        halvings = int(std::ceil(std::log2(norm / largestNorm)));
    work.scale(std::ldexp(1.0, -halvings));
    work.makeParts();
    for (std::size_t i = 0; i < work.a.size(); ++i) {
        work.a[i] = work.even[i] + work.odd[i];
        work.even[i] -= work.odd[i];
    }
    Lu<W> denominator{work.even.data(), work.n};
    if (!denominator.factorize(job))
        return false;
    denominator.solve(work.a.data(), work.n);
    for (; halvings > 0; --halvings) {
        multiplySquares<W>(work.a, work.a, work.n, work.product);
        std::ranges::copy(work.product, work.a.begin());
    }
    return true;
}

template <class T>
Status exponentiateEach(KernelContext& context, const SquareMatrices& matrices, Value& made)
{
    using W = Precise<T>;
    const std::int64_t n = matrices.size;
    ASSIGN_OR_RETURN(auto scratch,
                     Scratch<W>::make(context.session().pool, Workspace<W>::count * n * n));
    const Workspace<W> work(scratch.all(), n);
    for (std::int64_t i = 0; i < matrices.batch; ++i) {
        loadMatrix(context.input(0).as<T>().data() + i * n * n, n, false, work.a.data());
        if (!exponentiate(work, context.job()))
            return cancelledError();
        std::ranges::transform(work.a, made.mutableAs<T>().data() + i * n * n,
                               [](const W& x) { return T(x); });
    }
    return Done{};
}

Status runMatrixExponential(KernelContext& context)
{
    return mapMatrices<MatrixTypes>(
        context, [&](auto zero, const SquareMatrices& matrices, Value& made) {
            return exponentiateEach<decltype(zero)>(context, matrices, made);
        });
}

} // namespace

LAPIDARY_KERNEL(MatrixExponential, runMatrixExponential);

} // namespace lapidary
