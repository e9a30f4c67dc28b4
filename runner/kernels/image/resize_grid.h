// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <cmath>

namespace lapidary {

// The source coordinates of the pixels of a resized image, for all resizing ops.
struct ResizeGrid {
    std::int64_t batch = 0;
    std::int64_t height = 0; // of the source
    std::int64_t width = 0;
    std::int64_t channels = 0;
    std::int64_t outHeight = 0;
    std::int64_t outWidth = 0;
    float heightScale = 1.0F; // source pixels for one pixel of the result
    float widthScale = 1.0F;
    bool alignCorners = false;
    bool halfPixelCenters = false;

    Dims outDims() const { return {batch, outHeight, outWidth, channels}; }
    // Returns the source coordinate of pixel `i` of the result.
    float source(std::int64_t i, float scale) const
    {
        return halfPixelCenters ? (float(i) + 0.5F) * scale - 0.5F : float(i) * scale;
    }
};

// Makes the grid for images [N,H,W,C] and a size of the result. All sizes but N are above 0.
ResizeGrid resizeGrid(const Dims& images, std::int64_t outHeight, std::int64_t outWidth,
                      bool alignCorners, bool halfPixelCenters);
// Checks images [N,H,W,C] and size {height, width} as TensorFlow does.
Result<ResizeGrid> resizeGrid(const KernelContext& context, const Value& images, const Value& size,
                              bool alignCorners, bool halfPixelCenters);
// Makes the grid from inputs 0 and 1 and the attributes align_corners and half_pixel_centers.
Result<ResizeGrid> resizeGrid(const KernelContext& context);

} // namespace lapidary
