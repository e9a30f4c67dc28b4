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
    // The next one, always in the same order.
    void add(double difference);
    // Over the root of the squared signal.
    std::vector<float> numbers(double signal) const;

private:
    static constexpr std::size_t size = 4096;

    std::vector<double> m_numbers;
    std::uint64_t m_count = 0;
};

// The noise of all these changes together; sketches of no numbers are passed over.
class SketchSum {
public:
    void add(std::span<const float> sketch);
    double noise() const;

private:
    std::vector<double> m_numbers;
};

} // namespace lapidary
