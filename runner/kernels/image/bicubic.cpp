// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/image/bicubic.h"

#include <algorithm>
#include <limits>

namespace lapidary {
namespace {

constexpr int steps = 1024;

// Returns the cubic convolution kernel with parameter `a` at 0 <= distance <= 2.
float cubic(double a, int distance)
{
    const int whole = distance / steps;
    const double x = double(float(distance % steps) / float(steps)) + whole;
    if (distance <= steps)
        return float(((a + 2) * x - (a + 3)) * x * x + 1);
    return float(((a * x - 5 * a) * x + 8 * a) * x - 4 * a);
}

} // namespace

CubicTaps cubicTapsAt(const ResizeGrid& grid, std::int64_t i, float scale, std::int64_t size)
{
    const float at = grid.source(i, scale);
    const float floor = std::floor(at);
    const int offset = int(std::lrint((at - floor) * steps));
    const std::int64_t first = std::int64_t(floor) - 1;
    const double a = grid.halfPixelCenters ? -0.5 : -0.75;
    const std::array<int, 4> distances{steps + offset, offset, steps - offset, 2 * steps - offset};
    CubicTaps taps{};
    float sum = 0.0F;
    for (std::size_t k = 0; k < 4; ++k) {
        const std::int64_t wanted = first + std::int64_t(k);
        taps.index[k] = std::clamp(wanted, std::int64_t(0), size - 1);
        const bool outside = taps.index[k] != wanted && grid.halfPixelCenters;
        taps.weight[k] = outside ? 0.0F : cubic(a, distances[k]);
        sum += taps.weight[k];
    }
    if (grid.halfPixelCenters && std::abs(sum) >= 1000.0F * std::numeric_limits<float>::min())
        for (float& weight : taps.weight)
            weight *= 1.0F / sum;
    return taps;
}

} // namespace lapidary
