#pragma once

#include "runner/kernels/image/resize_grid.h"

#include <span>

namespace lapidary {

// Bilinear resizing of `images` (any real dtype) to `grid.outDims()` floats, row by row. An exact
// copy where the sizes are equal.
Status resizeBilinearInto(KernelContext& context, const Value& images, const ResizeGrid& grid,
                          std::span<float> out);

} // namespace lapidary
