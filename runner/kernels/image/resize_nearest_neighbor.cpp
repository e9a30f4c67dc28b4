// SPDX-License-Identifier: Apache-2.0
// ResizeNearestNeighbor: copies pixels of any type.
#include "runner/kernels/image/resize_grid.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/scratch.h"

#include <algorithm>
#include <cstring>

namespace lapidary {
namespace {

std::int64_t nearest(const ResizeGrid& grid, std::int64_t i, float scale, std::int64_t size)
{
    float at = float(i) * scale;
    if (grid.alignCorners)
        at = std::round(at);
    else if (grid.halfPixelCenters)
        at = std::floor((float(i) + 0.5F) * scale);
    else
        at = std::floor(at);
    return std::clamp(std::int64_t(at), std::int64_t(0), size - 1);
}

Status runResizeNearestNeighbor(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto made, resizeGrid(context));
    const ResizeGrid& grid = made;
    constexpr std::int64_t most = std::int64_t(1) << 24; // floats hold all integers up to it
    if (grid.height >= most || grid.width >= most)
        return context.error("height and width must be below 2^24");
    const Value& images = context.input(0);
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, images.dtype(), grid.outDims()));
    if (out.elements() == 0)
        return Done{};
    ASSIGN_OR_RETURN(auto columns,
                     Scratch<std::int64_t>::make(context.session().pool, grid.outWidth));
    const std::size_t pixel = std::size_t(grid.channels) * dtypeSize(images.dtype());
    for (std::int64_t x = 0; x < grid.outWidth; ++x)
        columns[x] = nearest(grid, x, grid.widthScale, grid.width) * std::int64_t(pixel);
    std::uint8_t* to = out.mutableAs<std::uint8_t>().data();
    for (std::int64_t n = 0; n < grid.batch; ++n) {
        for (std::int64_t y = 0; y < grid.outHeight; ++y) {
            if (context.job().cancelled())
                return cancelledError();
            const std::int64_t row = nearest(grid, y, grid.heightScale, grid.height);
            const char* from =
                images.bytes().data() + std::size_t((n * grid.height + row) * grid.width) * pixel;
            for (const std::int64_t column : columns.all()) {
                std::memcpy(to, from + column, pixel);
                to += pixel;
            }
        }
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(ResizeNearestNeighbor, runResizeNearestNeighbor);

} // namespace lapidary
