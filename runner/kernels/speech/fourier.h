#pragma once

#include "runner/kernels/scratch.h"

#include <complex>

namespace lapidary {

// Discrete Fourier transforms of one length, a power of two from 2 on; in double.
class Fourier {
public:
    static Result<Fourier> make(std::int64_t length, MemoryPool& pool);

    std::span<std::complex<double>> data() { return m_data.all(); }
    // Of `data`, in place. O(n log n).
    void transform();

private:
    Fourier(Scratch<std::complex<double>> data, Scratch<std::complex<double>> roots)
        : m_data(std::move(data))
        , m_roots(std::move(roots))
    {
    }
    void sortByReversedBits();

    Scratch<std::complex<double>> m_data;
    Scratch<std::complex<double>> m_roots; // exp(-2 pi i k / length) for the first half
};

} // namespace lapidary
