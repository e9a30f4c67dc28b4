// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/image/resize_grid.h"

#include <span>

namespace lapidary {

// Bilinear resizing of `images` (any real dtype) to `grid.outDims()` floats, row by row. An exact
// copy where the sizes are equal.
Status resizeBilinearInto(std::span<float> out, const Value& images, const ResizeGrid& grid,
                          MemoryPool& pool, const Job& job);

} // namespace lapidary
