// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lapidary {

// Differences at the outputs, reduced to so few numbers that those of every layer can be kept. To
// first order the differences of a graph with several changes are the sum of those of each change,
// so that sketches add, too; the squared length is the noise. That is exact as long as there are no
// more differences than numbers; beyond, several share a number, each with a random sign, and the
// length is off by a few hundredths.
class NoiseSketch {
public:
    NoiseSketch()
        : m_numbers(size)
    {
    }
    // Adds the next difference. The order has to be the same for all sketches.
    void add(double difference);
    // Returns the numbers over the root of `signal`, the sum of the signal's squares. Empty if one
    // would not be finite.
    std::vector<float> numbers(double signal) const;

private:
    static constexpr std::size_t size = 4096;

    std::vector<double> m_numbers;
    std::uint64_t m_count = 0;
};

// Computes the noise of several changes together. Empty sketches are ignored.
class SketchSum {
public:
    void add(std::span<const float> sketch);
    double noise() const;

private:
    std::vector<double> m_numbers;
};

} // namespace lapidary
