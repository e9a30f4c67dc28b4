// SPDX-License-Identifier: Apache-2.0
// The sizes and weights of small recurrent cells.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace lapidary {

namespace cell_sizes {

inline constexpr std::int64_t steps = 4;
inline constexpr std::int64_t rows = 2;
inline constexpr std::int64_t inputs = 3;
inline constexpr std::int64_t units = 2;

} // namespace cell_sizes

// Returns weights of both signs that differ from each other: sin(first + step i).
inline std::vector<float> waves(std::int64_t count, float first, float step = 1.3F)
{
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(std::sin(first + step * float(i)));
    return values;
}

} // namespace lapidary
