// SPDX-License-Identifier: Apache-2.0
// SelfAdjointEigV2: the eigenvalues of each matrix that equals its conjugate transpose, from small
// to large, and its eigenvectors, by Jacobi's rotations; only the lower triangle is read.
// SelfAdjointEig gives both in one tensor, the values in the first row.
#include "runner/kernels/linear/lu.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

namespace lapidary {
namespace {

template <class W>
struct EigenProblem {
    std::span<W> a; // becomes diagonal
    std::span<W> v; // columns become the eigenvectors
    std::int64_t n = 0;

    W& at(std::int64_t row, std::int64_t column) { return a[std::size_t(row * n + column)]; }
};

// Rotates rows and columns p and q so that the element in both becomes 0.
template <class W>
void turn(EigenProblem<W>& problem, std::int64_t p, std::int64_t q)
{
    const W element = problem.at(p, q);
    const double magnitude = std::abs(element);
    const W phase = element / magnitude;
    const double tau =
        (std::real(problem.at(q, q)) - std::real(problem.at(p, p))) / (2 * magnitude);
    const double tangent = (tau < 0 ? -1 : 1) / (std::abs(tau) + std::hypot(1.0, tau));
    const double cosine = 1 / std::hypot(1.0, tangent);
    const W sine = phase * (tangent * cosine);
    const std::int64_t n = problem.n;
    const auto turnColumns = [&](std::span<W> matrix) {
        for (std::int64_t row = 0; row < n; ++row) {
            W& x = matrix[std::size_t(row * n + p)];
            W& y = matrix[std::size_t(row * n + q)];
            const W before = x;
            x = cosine * before - conjugateOf(sine) * y;
            y = sine * before + cosine * y;
        }
    };
    turnColumns(problem.a);
    turnColumns(problem.v);
    for (std::int64_t column = 0; column < n; ++column) {
        W& x = problem.at(p, column);
        W& y = problem.at(q, column);
        const W before = x;
        x = cosine * before - sine * y;
        y = conjugateOf(sine) * before + cosine * y;
    }
    problem.at(p, q) = problem.at(q, p) = W(0);
}

// Returns false if it does not converge, because an element is not finite.
template <class W>
bool diagonalize(EigenProblem<W>& problem)
{
    constexpr int mostSweeps = 60;
    constexpr double smallest = std::numeric_limits<double>::epsilon() / 4;
    double whole = 0;
    for (const W& element : problem.a)
        whole += std::norm(element);
    const double least = std::sqrt(whole) * smallest;
    if (!std::isfinite(whole))
        return false;
    for (int sweep = 0; sweep < mostSweeps; ++sweep) {
        bool isDiagonal = true;
        for (std::int64_t p = 0; p < problem.n; ++p)
            for (std::int64_t q = p + 1; q < problem.n; ++q) {
                if (std::abs(problem.at(p, q)) <= least / double(problem.n))
                    continue;
                stopIfAsked();
                turn(problem, p, q);
                isDiagonal = false;
            }
        if (isDiagonal)
            return true;
    }
    return true; // as precise as rounding allows
}

template <class T>
void loadLower(const T* from, EigenProblem<Precise<T>>& problem)
{
    using W = Precise<T>;
    for (std::int64_t row = 0; row < problem.n; ++row)
        for (std::int64_t column = 0; column <= row; ++column) {
            stopPoint();
            const W value = row == column ? W(std::real(from[row * problem.n + row]))
                                          : W(from[row * problem.n + column]);
            problem.at(row, column) = value;
            problem.at(column, row) = conjugateOf(value);
        }
    for (std::size_t i = 0; i < problem.v.size(); ++i)
        problem.v[i] = W(double(std::int64_t(i) / problem.n == std::int64_t(i) % problem.n));
}

// Stores the values, from small to large, and the vectors; `vectors` may be null.
template <class T>
void storeSorted(EigenProblem<Precise<T>>& problem, T* values, T* vectors)
{
    std::vector<std::int64_t> order(std::size_t(problem.n));
    std::iota(order.begin(), order.end(), 0);
    const auto valueOf = [&](std::int64_t i) { return std::real(problem.at(i, i)); };
    std::ranges::stable_sort(order, {}, valueOf);
    for (std::int64_t i = 0; i < problem.n; ++i)
        values[i] = T(Precise<T>(valueOf(order[std::size_t(i)])));
    for (std::int64_t i = 0; vectors != nullptr && i < problem.n * problem.n; ++i)
        vectors[i] = T(
            problem.v[std::size_t(i / problem.n * problem.n + order[std::size_t(i % problem.n)])]);
}

// The positions of the results.
struct EigenPlaces {
    Value values;
    Value vectors;
    std::int64_t step = 0; // from the values of one matrix to those of the next
    bool isOne = false;    // the vectors follow the values in the same tensor
};

template <class T>
Status solveEach(KernelContext& context, const SquareMatrices& matrices, EigenPlaces& places)
{
    using W = Precise<T>;
    const std::int64_t n = matrices.size;
    ASSIGN_OR_RETURN(auto work, context.allocate(dtypeOf<W>(), {2, n, n}));
    const auto all = work.template mutableAs<W>();
    EigenProblem<W> problem{all.first(std::size_t(n * n)), all.subspan(std::size_t(n * n)), n};
    for (std::int64_t i = 0; i < matrices.batch; ++i) {
        loadLower(context.input(0).as<T>().data() + i * n * n, problem);
        if (!diagonalize(problem))
            return context.error("matrix " + std::to_string(i) +
                                 " has no eigenvalues: an element is not finite");
        T* const values = places.values.mutableAs<T>().data() + i * places.step;
        T* const vectors = places.isOne ? values + n
                           : places.vectors.isSet()
                               ? places.vectors.mutableAs<T>().data() + i * n * n
                               : nullptr;
        storeSorted<T>(problem, values, vectors);
    }
    return Done{};
}

Status solveAllEigen(KernelContext& context, const SquareMatrices& matrices, EigenPlaces& places)
{
    Status status = Done{};
    const DType dtype = context.input(0).dtype();
    const bool known = dispatch(MatrixTypes(), dtype, [&](auto zero) {
        if (context.input(0).elements() > 0)
            status = solveEach<decltype(zero)>(context, matrices, places);
    });
    return known ? status : context.error("has no kernel for " + dtypeName(dtype));
}

Status runSelfAdjointEigV2(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto matrices, SquareMatrices::of(context, 0));
    const Value& x = context.input(0);
    EigenPlaces places;
    places.step = matrices.size;
    Dims dims = x.dims();
    dims.pop_back();
    ASSIGN_OR_RETURN(places.values, context.makeOutput(0, x.dtype(), dims));
    const bool hasVectors = context.boolAttr("compute_v", true);
    ASSIGN_OR_RETURN(auto vectors,
                     context.makeOutput(1, x.dtype(), hasVectors ? x.dims() : Dims{0}));
    if (hasVectors)
        places.vectors = vectors;
    return solveAllEigen(context, matrices, places);
}

Status runSelfAdjointEig(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto matrices, SquareMatrices::of(context, 0));
    const Value& x = context.input(0);
    EigenPlaces places;
    places.isOne = true;
    if (x.elements() > 0) // an empty tensor may have sides of any length
        places.step = (matrices.size + 1) * matrices.size;
    Dims dims = x.dims();
    ++dims[dims.size() - 2];
    ASSIGN_OR_RETURN(places.values, context.makeOutput(0, x.dtype(), dims));
    return solveAllEigen(context, matrices, places);
}

} // namespace

LAPIDARY_KERNEL(BatchSelfAdjointEig, runSelfAdjointEig);
LAPIDARY_KERNEL(BatchSelfAdjointEigV2, runSelfAdjointEigV2);
LAPIDARY_KERNEL(SelfAdjointEig, runSelfAdjointEig);
LAPIDARY_KERNEL(SelfAdjointEigV2, runSelfAdjointEigV2);

} // namespace lapidary
