#pragma once

#include "runner/kernels/scratch.h"

#include <complex>

namespace lapidary {

// Discrete Fourier transforms of real numbers; one length, a power of two from 2 on; in double.
class Fourier {
public:
    static Result<Fourier> make(std::int64_t length, MemoryPool& pool);

    // What to transform: as many as the length. Lost by it.
    std::span<double> reals();
    // The first half of the transform of `reals` and the bin in the middle; the other half mirrors
    // it. O(n log n).
    std::span<const std::complex<double>> transform();

private:
    Fourier(Scratch<std::complex<double>> data, Scratch<std::complex<double>> roots)
        : m_data(std::move(data))
        , m_roots(std::move(roots))
    {
    }
    // All but the last element of the data: neighbouring reals as one complex number.
    std::span<std::complex<double>> pairs() { return m_data.all().first(m_data.all().size() - 1); }
    void sortByReversedBits();
    void transformPairs();
    void unfold();

    Scratch<std::complex<double>> m_data;
    Scratch<std::complex<double>> m_roots; // [half + k]: exp(-pi i k / half), half = 1, 2, 4, ...
};

} // namespace lapidary
