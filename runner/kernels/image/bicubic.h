// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/image/resize_grid.h"

#include <array>

namespace lapidary {

// The four source pixels of a pixel along one axis, and their weights.
struct CubicTaps {
    std::array<std::int64_t, 4> index;
    std::array<float, 4> weight;
};

// Returns the taps of pixel `i` of the result; `size` is that of the source. The position between
// two pixels is rounded to 1/1024, as in the table of weights of the original.
CubicTaps cubicTapsAt(const ResizeGrid& grid, std::int64_t i, float scale, std::int64_t size);

} // namespace lapidary
