// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/signal/complex_transform.h"

#include "runner/guard/run_guard.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace lapidary {
namespace {

constexpr std::int64_t largestFactor = 31;

// Multiplies without the special treatment of infinities in operator*.
Complex128 times(const Complex128& a, const Complex128& b)
{
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// Returns exp(-2 pi i k / n), 0 <= k < n.
Complex128 rootOf(std::int64_t k, std::int64_t n)
{
    const double angle = -2 * std::numbers::pi * double(k) / double(n);
    return {std::cos(angle), std::sin(angle)};
}

// Returns the factors of n; empty if one of them is too large. Fours come first, because they need
// the fewest multiplications.
std::vector<std::int64_t> factorsOf(std::int64_t n)
{
    std::vector<std::int64_t> factors;
    const auto takeAll = [&](std::int64_t factor) {
        for (; n > 1 && n % factor == 0; n /= factor)
            factors.push_back(factor);
    };
    takeAll(4);
    for (std::int64_t factor = 2; factor <= largestFactor; ++factor)
        takeAll(factor);
    return n > 1 ? std::vector<std::int64_t>() : factors;
}

} // namespace

struct ComplexTransform::Convolution {
    ComplexTransform transform;
    Scratch<Complex128> kernel; // the transform of the roots' conjugates, divided by its length
    Scratch<Complex128> row;
};

Result<ComplexTransform> ComplexTransform::make(std::int64_t length, MemoryPool& pool)
{
    ASSIGN_OR_RETURN(auto roots, Scratch<Complex128>::make(pool, length));
    ASSIGN_OR_RETURN(auto work, Scratch<Complex128>::make(pool, length));
    ComplexTransform made(length, std::move(roots), std::move(work));
    made.m_factors = factorsOf(length);
    if (made.m_factors.empty() && length > 1) {
        RETURN_IF_ERROR(made.prepareConvolution(pool));
        return made;
    }
    for (std::int64_t k = 0; k < length; ++k) {
        stopPoint();
        made.m_roots[k] = rootOf(k, length);
    }
    return made;
}

Status ComplexTransform::prepareConvolution(MemoryPool& pool)
{
    const auto size = std::int64_t(std::bit_ceil(std::uint64_t(2 * m_length - 1)));
    ASSIGN_OR_RETURN(auto transform, make(size, pool));
    ASSIGN_OR_RETURN(auto kernel, Scratch<Complex128>::make(pool, size));
    ASSIGN_OR_RETURN(auto row, Scratch<Complex128>::make(pool, size));
    std::ranges::fill(kernel.all(), Complex128());
    std::int64_t square = 0; // k^2 modulo 2 n
    for (std::int64_t k = 0; k < m_length; ++k) {
        stopPoint();
        m_roots[k] = rootOf(square, 2 * m_length);
        const Complex128 scaled = std::conj(m_roots[k]) / double(size);
        kernel[k] = scaled;
        kernel[k == 0 ? 0 : size - k] = scaled;
        square = (square + 2 * k + 1) % (2 * m_length);
    }
    transform.run(kernel.all(), false);
    m_convolution = std::make_shared<Convolution>(
        Convolution{std::move(transform), std::move(kernel), std::move(row)});
    return Done{};
}

void ComplexTransform::convolve(std::span<Complex128> row)
{
    const auto padded = m_convolution->row.all();
    std::ranges::fill(padded, Complex128());
    for (std::size_t k = 0; k < row.size(); ++k)
        padded[k] = times(row[k], m_roots[std::int64_t(k)]);
    m_convolution->transform.run(padded, false);
    for (std::size_t k = 0; k < padded.size(); ++k)
        padded[k] = times(padded[k], m_convolution->kernel[std::int64_t(k)]);
    m_convolution->transform.run(padded, true);
    for (std::size_t k = 0; k < row.size(); ++k)
        row[k] = times(padded[k], m_roots[std::int64_t(k)]);
}

// Combines `parts` transforms of `each` numbers in `to` into one; `stride` is the step in m_roots
// for the roots of that length.
void ComplexTransform::combine(Complex128* to, std::int64_t parts, std::int64_t each,
                               std::int64_t stride)
{
    std::array<Complex128, largestFactor> part{};
    for (std::int64_t k = 0; k < each; ++k) {
        stopPoint();
        for (std::int64_t r = 0; r < parts; ++r)
            part[std::size_t(r)] = times(to[r * each + k], m_roots[r * k * stride]);
        if (parts == 4) {
            const Complex128 even = part[0] + part[2];
            const Complex128 odd = part[0] - part[2];
            const Complex128 sum = part[1] + part[3];
            const Complex128 turned(part[1].imag() - part[3].imag(),
                                    part[3].real() - part[1].real());
            to[k] = even + sum;
            to[each + k] = odd + turned;
            to[2 * each + k] = even - sum;
            to[3 * each + k] = odd - turned;
            continue;
        }
        for (std::int64_t q = 0; q < parts; ++q) {
            Complex128 sum = part[0];
            for (std::int64_t r = 1; r < parts; ++r)
                sum += times(part[std::size_t(r)], m_roots[q * r % parts * each * stride]);
            to[q * each + k] = sum;
        }
    }
}

void ComplexTransform::split(const Complex128* from, std::int64_t stride, Complex128* to,
                             std::size_t level)
{
    if (level == m_factors.size()) {
        *to = *from;
        return;
    }
    const std::int64_t parts = m_factors[level];
    const std::int64_t each = m_length / stride / parts;
    for (std::int64_t r = 0; r < parts; ++r)
        split(from + r * stride, stride * parts, to + r * each, level + 1);
    combine(to, parts, each, stride);
}

void ComplexTransform::run(std::span<Complex128> row, bool isInverse)
{
    const auto conjugate = [](const Complex128& x) { return std::conj(x); };
    if (isInverse) // the inverse of x is the conjugate of the transform of its conjugate
        std::ranges::transform(row, row.begin(), conjugate);
    if (m_convolution != nullptr) {
        convolve(row);
    } else {
        split(row.data(), 1, m_work.all().data(), 0);
        std::ranges::copy(m_work.all(), row.begin());
    }
    if (isInverse)
        std::ranges::transform(row, row.begin(), conjugate);
}

} // namespace lapidary
