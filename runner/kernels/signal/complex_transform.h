// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/dispatch.h"
#include "runner/kernels/scratch.h"

#include <optional>
#include <span>
#include <vector>

namespace lapidary {

// Discrete Fourier transforms of complex numbers, one row at a time, of any length from 1 on, in
// double. Lengths with small prime factors are split by them; others are computed as a convolution
// whose length is a power of two (Bluestein).
class ComplexTransform {
public:
    static Result<ComplexTransform> make(std::int64_t length, MemoryPool& pool);

    std::int64_t length() const { return m_length; }
    // Transforms `row` in place, without a factor; `isInverse`: with the conjugates of the roots.
    // O(n log n). Throws RunStopped if the run is cancelled.
    void run(std::span<Complex128> row, bool isInverse);

private:
    // The data of a convolution in addition to the roots; its length is 2^k >= 2 n - 1.
    struct Convolution;

    ComplexTransform(std::int64_t length, Scratch<Complex128> roots, Scratch<Complex128> work)
        : m_length(length)
        , m_roots(std::move(roots))
        , m_work(std::move(work))
    {
    }
    Status prepareConvolution(MemoryPool& pool);
    void convolve(std::span<Complex128> row);
    void split(const Complex128* from, std::int64_t stride, Complex128* to, std::size_t level);
    void combine(Complex128* to, std::int64_t parts, std::int64_t each, std::int64_t stride);

    std::int64_t m_length;
    std::vector<std::int64_t> m_factors; // empty: a convolution is used
    Scratch<Complex128> m_roots;         // exp(-2 pi i k / n); for a convolution exp(-pi i k^2 / n)
    Scratch<Complex128> m_work;
    std::shared_ptr<Convolution> m_convolution;
};

} // namespace lapidary
