// Neighbouring numbers are the parts of complex ones, half as many; their transform Z holds that of
// the even numbers and of the odd ones, from which the wanted one follows:
//   X[k] = (Z[k] + conj(Z[m - k])) / 2 - i / 2 * exp(-pi i k / m) * (Z[k] - conj(Z[m - k]))
#include "runner/kernels/speech/fourier.h"

#include <cmath>
#include <numbers>

namespace lapidary {
namespace {

// The operator of std::complex looks after infinities.
std::complex<double> product(const std::complex<double>& a, const std::complex<double>& b)
{
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

} // namespace

Result<Fourier> Fourier::make(std::int64_t length, MemoryPool& pool)
{
    auto data = Scratch<std::complex<double>>::make(pool, length / 2 + 1);
    if (!data)
        return data.error();
    auto roots = Scratch<std::complex<double>>::make(pool, length / 2);
    if (!roots)
        return roots.error();
    for (std::int64_t k = 0; k < length / 2; ++k)
        roots.value()[k] = std::polar(1.0, -2 * std::numbers::pi * double(k) / double(length));
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
    const auto roots = m_roots.all();
    for (std::size_t half = 1; half < data.size(); half *= 2) {
        const std::size_t step = data.size() / half; // the roots are those of twice the size
        for (std::size_t start = 0; start < data.size(); start += 2 * half) {
            for (std::size_t k = 0; k < half; ++k) {
                const std::complex<double> a = data[start + k];
                const std::complex<double> turned =
                    product(data[start + k + half], roots[k * step]);
                data[start + k] = a + turned;
                data[start + k + half] = a - turned;
            }
        }
    }
}

void Fourier::unfold()
{
    const auto data = m_data.all();
    const auto roots = m_roots.all();
    const std::size_t half = data.size() - 1;
    data[half] = data[0];
    for (std::size_t k = 0; 2 * k <= half; ++k) {
        const std::complex<double> a = data[k];
        const std::complex<double> b = std::conj(data[half - k]);
        const std::complex<double> even = (a + b) * 0.5;
        const std::complex<double> difference = (a - b) * 0.5;
        const std::complex<double> odd(difference.imag(), -difference.real());
        const std::complex<double> turned = k < half ? product(odd, roots[k]) : -odd;
        data[k] = even + turned;
        data[half - k] = std::conj(even - turned);
    }
}

std::span<const std::complex<double>> Fourier::transform()
{
    transformPairs();
    unfold();
    return m_data.all();
}

} // namespace lapidary
