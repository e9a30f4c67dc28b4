// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/image/resize_grid.h"

#include <limits>

namespace lapidary {
namespace {

float scaleOf(std::int64_t in, std::int64_t out, bool alignCorners)
{
    return alignCorners && out > 1 ? float(in - 1) / float(out - 1) : float(in) / float(out);
}

std::string resizeFault(const Value& images, const Value& size)
{
    if (images.rank() != 4)
        return "input must be 4-dimensional, got shape " + dimsText(images.dims());
    if (!size.isVector())
        return "size must be 1-dimensional, got shape " + dimsText(size.dims());
    if (size.elements() != 2)
        return "size must have two elements, got shape " + dimsText(size.dims());
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (images.dim(1) > most || images.dim(2) > most)
        return "the image is too large";
    const auto sizes = size.integers();
    if (sizes.size() != 2 || sizes[0] <= 0 || sizes[1] <= 0)
        return "output dimensions must be positive";
    if (images.dim(3) <= 0)
        return "image must have at least one channel";
    if (images.dim(1) <= 0 || images.dim(2) <= 0)
        return "input image must be of non-zero size";
    return {};
}

} // namespace

ResizeGrid resizeGrid(const Dims& images, std::int64_t outHeight, std::int64_t outWidth,
                      bool alignCorners, bool halfPixelCenters)
{
    ResizeGrid grid;
    grid.batch = images[0];
    grid.height = images[1];
    grid.width = images[2];
    grid.channels = images[3];
    grid.outHeight = outHeight;
    grid.outWidth = outWidth;
    grid.alignCorners = alignCorners;
    grid.halfPixelCenters = halfPixelCenters;
    grid.heightScale = scaleOf(grid.height, grid.outHeight, alignCorners);
    grid.widthScale = scaleOf(grid.width, grid.outWidth, alignCorners);
    return grid;
}

Result<ResizeGrid> resizeGrid(const KernelContext& context, const Value& images, const Value& size,
                              bool alignCorners, bool halfPixelCenters)
{
    if (alignCorners && halfPixelCenters)
        return context.error("half_pixel_centers and align_corners exclude each other");
    const std::string fault = resizeFault(images, size);
    if (!fault.empty())
        return context.error(fault);
    const auto sizes = size.integers();
    return resizeGrid(images.dims(), sizes[0], sizes[1], alignCorners, halfPixelCenters);
}

Result<ResizeGrid> resizeGrid(const KernelContext& context)
{
    return resizeGrid(context, context.input(0), context.input(1),
                      context.boolAttr("align_corners"), context.boolAttr("half_pixel_centers"));
}

} // namespace lapidary
