// SPDX-License-Identifier: Apache-2.0
// Two neighboring numbers are taken as the parts of one complex number; the transform Z of these
// contains that of the even and of the odd numbers, from which the result follows:
//   X[k] = (Z[k] + conj(Z[m - k])) / 2 - i / 2 * exp(-pi i k / m) * (Z[k] - conj(Z[m - k]))
#include "runner/kernels/speech/fourier.h"

#include "runner/kernels/wide_loop.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace lapidary {
namespace {

// A vector with one number of each row.
using Lanes [[gnu::vector_size(Fourier::lanes * sizeof(double)), gnu::may_alias]] = double;

struct Complex {
    Lanes real;
    Lanes imaginary;
};

// All these functions are inlined: vectors of this size cannot be passed on all processors.
#define LAPIDARY_INLINE [[gnu::always_inline]] inline

LAPIDARY_INLINE Complex times(const Complex& a, const double* root)
{
    return {a.real * root[0] - a.imaginary * root[1], a.real * root[1] + a.imaginary * root[0]};
}

LAPIDARY_INLINE Complex sum(const Complex& a, const Complex& b)
{
    return {a.real + b.real, a.imaginary + b.imaginary};
}

LAPIDARY_INLINE Complex difference(const Complex& a, const Complex& b)
{
    return {a.real - b.real, a.imaginary - b.imaginary};
}

// One step of Cooley and Tukey: combines transforms of `half` numbers to those of 2 * half.
LAPIDARY_INLINE void combine(Complex* data, const double* roots, std::size_t half)
{
    for (std::size_t k = 0; k < half; ++k) {
        const Complex low = data[k];
        const Complex high = times(data[half + k], roots + 2 * (half + k));
        data[k] = sum(low, high);
        data[half + k] = difference(low, high);
    }
}

// Does two steps at once, to 4 * half, with the numbers in between in registers.
LAPIDARY_INLINE void combineTwice(Complex* data, const double* roots, std::size_t half)
{
    const double* const first = roots + 2 * half;
    const double* const second = roots + 4 * half;
    for (std::size_t k = 0; k < half; ++k) {
        const Complex b = times(data[half + k], first + 2 * k);
        const Complex d = times(data[3 * half + k], first + 2 * k);
        const Complex low = sum(data[k], b);
        const Complex high = difference(data[k], b);
        const Complex farLow = times(sum(data[2 * half + k], d), second + 2 * k);
        const Complex farHigh = times(difference(data[2 * half + k], d), second + 2 * (half + k));
        data[k] = sum(low, farLow);
        data[half + k] = sum(high, farHigh);
        data[2 * half + k] = difference(low, farLow);
        data[3 * half + k] = difference(high, farHigh);
    }
}

LAPIDARY_INLINE void unfoldPairs(Complex* data, std::size_t half, const double* roots)
{
    data[half] = {data[0].real - data[0].imaginary, Lanes{}};
    data[0] = {data[0].real + data[0].imaginary, Lanes{}};
    for (std::size_t k = 1; 2 * k <= half; ++k) {
        const Complex low = data[k];
        const Complex high = data[half - k];
        const Complex even{0.5 * (low.real + high.real), 0.5 * (low.imaginary - high.imaginary)};
        const Complex odd = times(
            {0.5 * (low.imaginary + high.imaginary), 0.5 * (high.real - low.real)}, roots + 2 * k);
        data[half - k] = {even.real - odd.real, odd.imaginary - even.imaginary};
        data[k] = {even.real + odd.real, even.imaginary + odd.imaginary};
    }
}

} // namespace

Result<Fourier> Fourier::make(std::int64_t length, MemoryPool& pool)
{
    ASSIGN_OR_RETURN(auto data, Scratch<double>::make(pool, (length + 2) * std::int64_t(lanes)));
    ASSIGN_OR_RETURN(auto roots, Scratch<double>::make(pool, 2 * length));
    for (std::int64_t half = 1; half < length; half *= 2)
        for (std::int64_t k = 0; k < half; ++k) {
            const double angle = -std::numbers::pi * double(k) / double(half);
            roots[2 * (half + k)] = std::cos(angle);
            roots[2 * (half + k) + 1] = std::sin(angle);
        }
    return Fourier(std::move(data), std::move(roots));
}

void Fourier::sortByReversedBits()
{
    auto* const data = reinterpret_cast<Complex*>(m_data.all().data());
    const std::size_t size = pairs();
    std::size_t reversed = 0;
    for (std::size_t i = 1; i < size; ++i) {
        std::size_t bit = size / 2;
        for (; (reversed & bit) != 0; bit /= 2)
            reversed ^= bit;
        reversed ^= bit;
        if (i < reversed)
            std::swap(data[i], data[reversed]);
    }
}

void Fourier::transformPairs()
{
    sortByReversedBits();
    auto* const data = reinterpret_cast<Complex*>(m_data.all().data());
    const double* const roots = m_roots.all().data();
    const std::size_t size = pairs();
    wideLoop([&] {
        std::size_t half = 1;
        for (; 4 * half <= size; half *= 4)
            for (std::size_t start = 0; start < size; start += 4 * half)
                combineTwice(data + start, roots, half);
        if (2 * half == size)
            combine(data, roots, half);
    });
}

void Fourier::unfold()
{
    auto* const data = reinterpret_cast<Complex*>(m_data.all().data());
    const std::size_t half = pairs();
    const double* const roots = m_roots.all().data() + 2 * half;
    wideLoop([&] { unfoldPairs(data, half, roots); });
}

std::span<const double> Fourier::transform()
{
    transformPairs();
    unfold();
    return m_data.all();
}

} // namespace lapidary
