// Neighbouring numbers are the parts of complex ones, half as many; their transform Z holds that of
// the even numbers and of the odd ones, from which the wanted one follows:
//   X[k] = (Z[k] + conj(Z[m - k])) / 2 - i / 2 * exp(-pi i k / m) * (Z[k] - conj(Z[m - k]))
#include "runner/kernels/speech/fourier.h"

#include <cmath>
#include <numbers>

namespace lapidary {
namespace {

// One step of Cooley and Tukey on `half` pairs of complex numbers. Parts one by one: compilers make
// slow vectors of std::complex.
void combine(double* __restrict low, double* __restrict high, const double* __restrict roots,
             std::size_t half)
{
    for (std::size_t k = 0; k < 2 * half; k += 2) {
        const double real = high[k] * roots[k] - high[k + 1] * roots[k + 1];
        const double imaginary = high[k] * roots[k + 1] + high[k + 1] * roots[k];
        high[k] = low[k] - real;
        high[k + 1] = low[k + 1] - imaginary;
        low[k] += real;
        low[k + 1] += imaginary;
    }
}

} // namespace

Result<Fourier> Fourier::make(std::int64_t length, MemoryPool& pool)
{
    auto data = Scratch<std::complex<double>>::make(pool, length / 2 + 1);
    if (!data)
        return data.error();
    auto roots = Scratch<std::complex<double>>::make(pool, length);
    if (!roots)
        return roots.error();
    roots.value()[0] = 0;
    for (std::int64_t half = 1; half < length; half *= 2)
        for (std::int64_t k = 0; k < half; ++k)
            roots.value()[half + k] = std::polar(1.0, -std::numbers::pi * double(k) / double(half));
    return Fourier(std::move(data).value(), std::move(roots).value());
}

std::span<double> Fourier::reals()
{
    return {reinterpret_cast<double*>(m_data.all().data()), pairs().size() * 2};
}

void Fourier::sortByReversedBits()
{
    const auto data = pairs();
    std::size_t reversed = 0;
    for (std::size_t i = 1; i < data.size(); ++i) {
        std::size_t bit = data.size() / 2;
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
    const auto data = pairs();
    if (data.size() < 2)
        return;
    double* const numbers = reals().data();
    const auto* const roots = reinterpret_cast<const double*>(m_roots.all().data());
    for (std::size_t i = 0; i < 2 * data.size(); i += 4) // the root is 1
        for (std::size_t part = i; part < i + 2; ++part) {
            const double a = numbers[part];
            const double b = numbers[part + 2];
            numbers[part] = a + b;
            numbers[part + 2] = a - b;
        }
    for (std::size_t half = 2; half < data.size(); half *= 2)
        for (std::size_t start = 0; start < data.size(); start += 2 * half)
            combine(numbers + 2 * start, numbers + 2 * (start + half), roots + 2 * half, half);
}

void Fourier::unfold()
{
    const std::size_t half = pairs().size();
    auto* const data = reinterpret_cast<double*>(m_data.all().data());
    const auto* const roots = reinterpret_cast<const double*>(m_roots.all().data()) + 2 * half;
    data[2 * half] = data[0] - data[1];
    data[2 * half + 1] = 0;
    data[0] += data[1];
    data[1] = 0;
    for (std::size_t k = 1; 2 * k <= half; ++k) {
        double* const low = data + 2 * k;
        double* const high = data + 2 * (half - k);
        const double evenReal = 0.5 * (low[0] + high[0]);
        const double evenImaginary = 0.5 * (low[1] - high[1]);
        const double oddReal = 0.5 * (low[1] + high[1]);
        const double oddImaginary = 0.5 * (high[0] - low[0]);
        const double real = oddReal * roots[2 * k] - oddImaginary * roots[2 * k + 1];
        const double imaginary = oddReal * roots[2 * k + 1] + oddImaginary * roots[2 * k];
        high[0] = evenReal - real;
        high[1] = imaginary - evenImaginary;
        low[0] = evenReal + real;
        low[1] = evenImaginary + imaginary;
    }
}

std::span<const std::complex<double>> Fourier::transform()
{
    transformPairs();
    unfold();
    return m_data.all();
}

} // namespace lapidary
