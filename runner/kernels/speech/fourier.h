// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/scratch.h"

#include <cstddef>

namespace lapidary {

// Discrete Fourier transforms of rows of real numbers, several rows at once, in double. The length
// is a power of two, at least 2.
class Fourier {
public:
    static constexpr std::size_t lanes = 4; // rows

    static Result<Fourier> make(std::int64_t length, MemoryPool& pool);

    // Returns the memory for the numbers to transform: number i of row r is at [i * lanes + r].
    // The transform overwrites them.
    std::span<double> reals() { return m_data.all().first(m_data.all().size() - 2 * lanes); }
    // Returns the first half of the transform of reals() and the bin in the middle; the other half
    // mirrors it. For row r, the real part of bin k is at [2 * k * lanes + r], the imaginary part
    // at [(2 * k + 1) * lanes + r]. O(n log n).
    std::span<const double> transform();

private:
    Fourier(Scratch<double> data, Scratch<double> roots)
        : m_data(std::move(data))
        , m_roots(std::move(roots))
    {
    }
    std::size_t pairs() const { return m_data.all().size() / (2 * lanes) - 1; }
    void sortByReversedBits();
    void transformPairs();
    void unfold();

    Scratch<double> m_data;
    Scratch<double> m_roots; // [2 * (half + k)]: parts of exp(-pi i k / half), half = 1, 2, 4, ...
};

} // namespace lapidary
