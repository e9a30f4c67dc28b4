// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/noise_sketch.h"

#include "graph_model/base/hash.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

// Returns pseudorandom bits for a number.
std::uint64_t mixed(std::uint64_t x)
{
    return scrambled(x + goldenRatio64);
}

} // namespace

void NoiseSketch::add(double difference)
{
    const std::uint64_t place = m_count++;
    if (place < size) {
        m_numbers[std::size_t(place)] += difference;
        return;
    }
    const std::uint64_t bits = mixed(place);
    const bool isTurned = (bits >> 63U) != 0;
    m_numbers[std::size_t(bits % size)] += isTurned ? -difference : difference;
}

std::vector<float> NoiseSketch::numbers(double signal) const
{
    const double root = std::sqrt(signal);
    const std::size_t used = std::min<std::size_t>(size, std::size_t(m_count));
    std::vector<float> numbers;
    if (!(root > 0))
        return numbers;
    for (std::size_t i = 0; i < used; ++i) {
        const double number = m_numbers[i] / root;
        if (!std::isfinite(number))
            return {};
        numbers.push_back(float(number));
    }
    return numbers;
}

void SketchSum::add(std::span<const float> sketch)
{
    m_numbers.resize(std::max(m_numbers.size(), sketch.size()));
    for (std::size_t i = 0; i < sketch.size(); ++i)
        m_numbers[i] += double(sketch[i]);
}

double SketchSum::noise() const
{
    double sum = 0;
    for (const double number : m_numbers)
        sum += number * number;
    return sum;
}

} // namespace lapidary
