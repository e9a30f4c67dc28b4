// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/linear/complex_schur.h"

#include "runner/guard/run_guard.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace lapidary {
namespace {

using C = Complex128;

// Multiplies by (I - 2 v v*) from both sides; elements of v belong to rows and columns from `first`
// on.
void reflect(const ComplexSchur& s, std::int64_t first, std::span<const C> v)
{
    const auto length = std::int64_t(v.size());
    for (std::int64_t column = 0; column < s.n; ++column) {
        stopPoint();
        C product = 0;
        for (std::int64_t i = 0; i < length; ++i)
            product += std::conj(v[std::size_t(i)]) * s.at(first + i, column);
        for (std::int64_t i = 0; i < length; ++i)
            s.at(first + i, column) -= 2.0 * v[std::size_t(i)] * product;
    }
    for (const std::span<C> matrix : {s.t, s.u})
        for (std::int64_t row = 0; row < s.n; ++row) {
            stopPoint();
            C* const elements = matrix.data() + row * s.n + first;
            C product = 0;
            for (std::int64_t i = 0; i < length; ++i)
                product += elements[i] * v[std::size_t(i)];
            for (std::int64_t i = 0; i < length; ++i)
                elements[i] -= 2.0 * product * std::conj(v[std::size_t(i)]);
        }
}

// Makes the elements below the first subdiagonal zero.
void makeHessenberg(const ComplexSchur& s)
{
    for (std::int64_t k = 0; k + 2 < s.n; ++k) {
        std::vector<C> v;
        double squares = 0;
        for (std::int64_t row = k + 1; row < s.n; ++row) {
            v.push_back(s.at(row, k));
            squares += std::norm(v.back());
        }
        const double length = std::sqrt(squares);
        if (length == 0)
            continue;
        const double size = std::abs(v[0]);
        v[0] += size == 0 ? C(length) : v[0] / size * length;
        double rest = 0;
        for (const C& x : v)
            rest += std::norm(x);
        for (C& x : v)
            x /= std::sqrt(rest);
        reflect(s, k + 1, v);
    }
}

// Returns an eigenvalue of the last two rows of the active part, the one nearer to the last
// element.
C shiftOf(const ComplexSchur& s, std::int64_t last, int tries)
{
    constexpr int seldom = 10;
    if (tries % seldom == seldom - 1) // the steps may repeat in a cycle
        return std::abs(s.at(last, last - 1)) + s.at(last, last);
    const C a = s.at(last - 1, last - 1);
    const C d = s.at(last, last);
    const C half = (a - d) / 2.0;
    const C root = std::sqrt(half * half + s.at(last - 1, last) * s.at(last, last - 1));
    const C upper = (a + d) / 2.0 + root;
    const C lower = (a + d) / 2.0 - root;
    return std::abs(upper - d) < std::abs(lower - d) ? upper : lower;
}

struct Rotation {
    double cosine = 1;
    C sine = 0;
};

// Makes one QR step over rows `first` to `last`.
void stepQr(const ComplexSchur& s, std::int64_t first, std::int64_t last, C shift)
{
    for (std::int64_t i = first; i <= last; ++i)
        s.at(i, i) -= shift;
    std::vector<Rotation> rotations;
    for (std::int64_t k = first; k < last; ++k) {
        const C a = s.at(k, k);
        const C b = s.at(k + 1, k);
        const double length = std::hypot(std::abs(a), std::abs(b));
        Rotation r;
        if (length != 0) {
            const C phase = a == C(0) ? C(1) : a / std::abs(a);
            r = {std::abs(a) / length, phase * std::conj(b) / length};
        }
        for (std::int64_t column = k; column < s.n; ++column) {
            const C x = s.at(k, column);
            const C y = s.at(k + 1, column);
            s.at(k, column) = r.cosine * x + r.sine * y;
            s.at(k + 1, column) = -std::conj(r.sine) * x + r.cosine * y;
        }
        s.at(k + 1, k) = 0;
        rotations.push_back(r);
        stopIfAsked();
    }
    for (std::int64_t k = first; k < last; ++k) {
        const Rotation& r = rotations[std::size_t(k - first)];
        const auto turn = [&](C* row) {
            const C x = row[k];
            const C y = row[k + 1];
            row[k] = r.cosine * x + std::conj(r.sine) * y;
            row[k + 1] = -r.sine * x + r.cosine * y;
        };
        for (std::int64_t row = 0; row <= std::min(k + 1, last); ++row)
            turn(s.t.data() + row * s.n);
        for (std::int64_t row = 0; row < s.n; ++row)
            turn(s.u.data() + row * s.n);
        stopIfAsked();
    }
    for (std::int64_t i = first; i <= last; ++i)
        s.at(i, i) += shift;
}

} // namespace

bool ComplexSchur::decompose() const
{
    constexpr double smallest = std::numeric_limits<double>::epsilon();
    constexpr int mostTries = 300;
    for (const C& element : t)
        if (!std::isfinite(element.real()) || !std::isfinite(element.imag()))
            return false;
    for (std::size_t i = 0; i < u.size(); ++i)
        u[i] = double(std::int64_t(i) / n == std::int64_t(i) % n);
    makeHessenberg(*this);
    int tries = 0;
    for (std::int64_t last = n - 1; last > 0;) {
        std::int64_t first = last;
        while (first > 0 &&
               std::abs(at(first, first - 1)) >
                   smallest * (std::abs(at(first, first)) + std::abs(at(first - 1, first - 1))))
            --first;
        if (first > 0)
            at(first, first - 1) = 0;
        if (first == last) {
            --last;
            tries = 0;
            continue;
        }
        if (++tries > mostTries)
            return false;
        stepQr(*this, first, last, shiftOf(*this, last, tries));
    }
    return true;
}

} // namespace lapidary
