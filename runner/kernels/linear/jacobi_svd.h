// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/linear/lu.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace lapidary::jacobi {

// Vectors stored one after the other: element i of vector k is at k * length + i.
template <class W>
struct Vectors {
    std::int64_t length = 0;
    std::vector<W> elements = {};

    Vectors(std::int64_t count, std::int64_t size)
        : length(size)
        , elements(std::size_t(count * size))
    {
    }
    std::span<W> operator[](std::int64_t k)
    {
        return {elements.data() + k * length, std::size_t(length)};
    }
};

// Returns the sum of conj(x[i]) * y[i].
template <class W>
W product(std::span<const W> x, std::span<const W> y)
{
    W sum = W(0);
    for (std::size_t i = 0; i < x.size(); ++i)
        sum += conjugateOf(x[i]) * y[i];
    return sum;
}

template <class W>
double lengthOf(std::span<const W> x)
{
    double sum = 0;
    for (const W& element : x)
        sum += std::norm(element);
    return std::sqrt(sum);
}

// Replaces (x, y) by (c x - s* y, s x + c y).
template <class W>
void rotate(std::span<W> x, std::span<W> y, double c, const W& s)
{
    for (std::size_t i = 0; i < x.size(); ++i) {
        const W before = x[i];
        x[i] = c * before - conjugateOf(s) * y[i];
        y[i] = s * before + c * y[i];
    }
}

// Makes columns p and q of `a` orthogonal, and rotates those of `v` alike. Returns false if they
// are orthogonal already.
template <class W>
bool makeOrthogonal(Vectors<W>& a, Vectors<W>& v, std::int64_t p, std::int64_t q)
{
    constexpr double smallest = 1e-15;
    const double alpha = std::norm(lengthOf<W>(a[p]));
    const double beta = std::norm(lengthOf<W>(a[q]));
    const W gamma = product<W>(a[p], a[q]);
    const double size = std::abs(gamma);
    if (!(size > smallest * std::sqrt(alpha * beta)) || size == 0)
        return false;
    const double zeta = (beta - alpha) / (2 * size);
    const double t = std::copysign(1 / (std::abs(zeta) + std::hypot(1.0, zeta)), zeta);
    const double c = 1 / std::hypot(1.0, t);
    const W s = gamma * (c * t / size);
    rotate<W>(a[p], a[q], c, s);
    rotate<W>(v[p], v[q], c, s);
    return true;
}

// Replaces the vectors from `first` on by unit vectors that are orthogonal to all others: the axis
// that the others cover least, without its parts along them.
template <class W>
void completeBasis(Vectors<W>& vectors, std::int64_t first, std::int64_t count)
{
    std::vector<double> covered(std::size_t(vectors.length));
    const auto cover = [&](std::span<const W> x) {
        for (std::size_t i = 0; i < x.size(); ++i)
            covered[i] += std::norm(x[i]);
    };
    for (std::int64_t k = 0; k < first; ++k)
        cover(vectors[k]);
    for (std::int64_t k = first; k < count; ++k) {
        const auto x = vectors[k];
        std::ranges::fill(x, W(0));
        x[std::size_t(std::ranges::min_element(covered) - covered.begin())] = W(1);
        for (int round = 0; round < 2; ++round) // the second one removes errors of rounding
            for (std::int64_t other = 0; other < k; ++other) {
                const W part = product<W>(vectors[other], x);
                for (std::size_t i = 0; i < x.size(); ++i)
                    x[i] -= vectors[other][i] * part;
            }
        const double length = lengthOf<W>(x);
        for (W& element : x)
            element /= length;
        cover(x);
    }
}

// One-sided Jacobi: a = u diag(s) v*, for a matrix `a` with at least as many rows as columns. The
// caller puts the columns of `a` into u; run() makes them orthogonal and of length 1.
template <class W>
struct Decomposition {
    Vectors<W> u;
    std::vector<double> s;
    Vectors<W> v;

    // `columns` of length `length`; u gets `uCount` vectors.
    Decomposition(std::int64_t columns, std::int64_t length, std::int64_t uCount)
        : u(std::max(columns, uCount), length)
        , s(std::size_t(columns))
        , v(columns, columns)
    {
        for (std::int64_t k = 0; k < columns; ++k)
            v[k][std::size_t(k)] = W(1);
    }

    // Returns false if the job was cancelled.
    bool run(const Job& job)
    {
        constexpr int mostSweeps = 60; // ten are usual
        const auto columns = std::int64_t(s.size());
        bool isChanged = true;
        for (int sweep = 0; sweep < mostSweeps && isChanged; ++sweep) {
            isChanged = false;
            for (std::int64_t p = 0; p < columns; ++p) {
                if (job.cancelled())
                    return false;
                for (std::int64_t q = p + 1; q < columns; ++q)
                    isChanged = makeOrthogonal(u, v, p, q) || isChanged;
            }
        }
        sort();
        return true;
    }

private:
    void sort()
    {
        const auto columns = std::int64_t(s.size());
        for (std::int64_t k = 0; k < columns; ++k)
            s[std::size_t(k)] = lengthOf<W>(u[k]);
        for (std::int64_t k = 0; k < columns; ++k) {
            const auto largest = std::max_element(s.begin() + k, s.end()) - s.begin();
            std::swap(s[std::size_t(k)], s[std::size_t(largest)]);
            if (largest != k) {
                std::ranges::swap_ranges(u[k], u[largest]);
                std::ranges::swap_ranges(v[k], v[largest]);
            }
        }
        std::int64_t rank = 0;
        while (rank < columns && s[std::size_t(rank)] > s[0] * 1e-14)
            ++rank;
        for (std::int64_t k = 0; k < rank; ++k)
            for (W& element : u[k])
                element /= s[std::size_t(k)];
        completeBasis(u, rank,
                      std::int64_t(u.elements.size()) / std::max<std::int64_t>(u.length, 1));
    }
};

} // namespace lapidary::jacobi
