#include "runner/kernels/speech/fourier.h"

#include <cmath>
#include <numbers>

namespace lapidary {

Result<Fourier> Fourier::make(std::int64_t length, MemoryPool& pool)
{
    auto data = Scratch<std::complex<double>>::make(pool, length);
    if (!data)
        return data.error();
    auto roots = Scratch<std::complex<double>>::make(pool, length / 2);
    if (!roots)
        return roots.error();
    for (std::int64_t k = 0; k < length / 2; ++k)
        roots.value()[k] = std::polar(1.0, -2 * std::numbers::pi * double(k) / double(length));
    return Fourier(std::move(data).value(), std::move(roots).value());
}

void Fourier::sortByReversedBits()
{
    const auto data = m_data.all();
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

void Fourier::transform()
{
    sortByReversedBits();
    const auto data = m_data.all();
    const auto roots = m_roots.all();
    for (std::size_t half = 1; half < data.size(); half *= 2) {
        const std::size_t step = data.size() / (2 * half);
        for (std::size_t start = 0; start < data.size(); start += 2 * half) {
            for (std::size_t k = 0; k < half; ++k) {
                const std::complex<double> a = data[start + k];
                const std::complex<double> b = data[start + k + half];
                const std::complex<double> root = roots[k * step];
                // Written out: the operator of std::complex looks after infinities.
                const std::complex<double> turned(b.real() * root.real() - b.imag() * root.imag(),
                                                  b.real() * root.imag() + b.imag() * root.real());
                data[start + k] = a + turned;
                data[start + k + half] = a - turned;
            }
        }
    }
}

} // namespace lapidary
