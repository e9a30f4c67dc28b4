// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/image/resize_grid.h"

#include <span>

namespace lapidary {

// Resizes `images` (any real dtype) bilinearly to `grid.outDims()` floats, row by row. If the sizes
// are equal, the result is an exact copy.
Status resizeBilinearInto(std::span<float> out, const Value& images, const ResizeGrid& grid,
                          MemoryPool& pool, const Job& job);

} // namespace lapidary
