// SPDX-License-Identifier: Apache-2.0
// ResizeBilinearGrad, ResizeBicubicGrad, ResizeNearestNeighborGrad: each pixel of the original
// picture gets the gradients of the pixels that were made from it, with their weights.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/image/bicubic.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns the grid that makes a picture with the size of input 0 from one with this size.
Result<ResizeGrid> gradientGrid(const KernelContext& context, std::int64_t height,
                                std::int64_t width)
{
    const Value& back = context.input(0);
    const bool alignCorners = context.boolAttr("align_corners");
    const bool halfPixelCenters = context.boolAttr("half_pixel_centers");
    constexpr std::int64_t most = std::int64_t(1) << 24; // floats hold all integers up to it
    if (alignCorners && halfPixelCenters)
        return context.error("align_corners and half_pixel_centers exclude each other");
    for (const std::int64_t size : {height, width, back.dim(1), back.dim(2)})
        if (size <= 0 || size >= most)
            return context.error("height and width must be above 0 and below 2^24, but one is " +
                                 std::to_string(size));
    return resizeGrid(Dims{back.dim(0), height, width, back.dim(3)}, back.dim(1), back.dim(2),
                      alignCorners, halfPixelCenters);
}

// The two source pixels of a pixel; `part` is the share of the upper one.
struct Share {
    std::int64_t lower = 0;
    std::int64_t upper = 0;
    float part = 0;

    static Share of(const ResizeGrid& grid, std::int64_t i, float scale, std::int64_t size)
    {
        const float at = grid.source(i, scale);
        const float floor = std::floor(at);
        return {std::max<std::int64_t>(std::int64_t(floor), 0),
                std::min<std::int64_t>(std::int64_t(std::ceil(at)), size - 1), at - floor};
    }
};

template <class T>
Status shareBilinear(const KernelContext& context, const ResizeGrid& grid, std::span<T> to)
{
    const float* back = context.input(0).as<float>().data();
    const std::int64_t channels = grid.channels;
    for (std::int64_t line = 0; line < grid.batch * grid.outHeight; ++line) {
        if (context.job().cancelled())
            return cancelledError();
        const Share rows = Share::of(grid, line % grid.outHeight, grid.heightScale, grid.height);
        T* const image = to.data() + line / grid.outHeight * grid.height * grid.width * channels;
        for (std::int64_t x = 0; x < grid.outWidth; ++x) {
            const Share columns = Share::of(grid, x, grid.widthScale, grid.width);
            for (std::int64_t c = 0; c < channels; ++c, ++back) {
                const auto add = [&](std::int64_t row, std::int64_t column, float weight) {
                    image[(row * grid.width + column) * channels + c] += T(*back * weight);
                };
                add(rows.lower, columns.lower, (1 - rows.part) * (1 - columns.part));
                add(rows.lower, columns.upper, (1 - rows.part) * columns.part);
                add(rows.upper, columns.lower, rows.part * (1 - columns.part));
                add(rows.upper, columns.upper, rows.part * columns.part);
            }
        }
    }
    return Done{};
}

template <class T>
Status shareBicubic(const KernelContext& context, const ResizeGrid& grid, std::span<T> to)
{
    const float* back = context.input(0).as<float>().data();
    const std::int64_t channels = grid.channels;
    for (std::int64_t line = 0; line < grid.batch * grid.outHeight; ++line) {
        if (context.job().cancelled())
            return cancelledError();
        const CubicTaps rows =
            cubicTapsAt(grid, line % grid.outHeight, grid.heightScale, grid.height);
        T* const image = to.data() + line / grid.outHeight * grid.height * grid.width * channels;
        for (std::int64_t x = 0; x < grid.outWidth; ++x) {
            const CubicTaps columns = cubicTapsAt(grid, x, grid.widthScale, grid.width);
            for (std::int64_t c = 0; c < channels; ++c, ++back)
                for (std::size_t i = 0; i < 4; ++i)
                    for (std::size_t k = 0; k < 4; ++k)
                        image[(rows.index[i] * grid.width + columns.index[k]) * channels + c] +=
                            T(*back) * rows.weight[i] * columns.weight[k];
        }
    }
    return Done{};
}

template <bool isCubic>
Status runSmoothResizeGrad(KernelContext& context)
{
    const Value& original = context.input(1);
    ASSIGN_OR_RETURN(const auto grid, gradientGrid(context, original.dim(1), original.dim(2)));
    ASSIGN_OR_RETURN(auto y,
                     context.makeOutput(0, original.dtype(),
                                        {grid.batch, grid.height, grid.width, grid.channels}));
    Status status = Done{};
    const bool known = dispatch(TypeList<float, double>(), original.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto to = y.template mutableAs<T>();
        std::ranges::fill(to, T(0));
        status = isCubic ? shareBicubic<T>(context, grid, to) : shareBilinear<T>(context, grid, to);
    });
    return known ? status : context.error("has no kernel for " + dtypeName(original.dtype()));
}

std::int64_t nearestSource(const ResizeGrid& grid, std::int64_t i, float scale, std::int64_t size)
{
    const float half = grid.halfPixelCenters ? 0.5F : 0.0F;
    const float at = (float(i) + half) * scale;
    return std::min(std::int64_t(grid.alignCorners ? std::round(at) : std::floor(at)), size - 1);
}

Status runResizeNearestNeighborGrad(KernelContext& context)
{
    const Value& back = context.input(0);
    const Value& size = context.input(1);
    if (size.elements() != 2)
        return context.error("size must be height and width, but its shape is " +
                             dimsText(size.dims()));
    const auto sizes = size.as<std::int32_t>();
    ASSIGN_OR_RETURN(const auto grid, gradientGrid(context, sizes[0], sizes[1]));
    ASSIGN_OR_RETURN(
        auto y,
        context.makeOutput(0, back.dtype(), {grid.batch, grid.height, grid.width, grid.channels}));
    const bool known = dispatch(Reals(), back.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const auto to = y.template mutableAs<T>();
        std::ranges::fill(to, T(0));
        const T* from = back.as<T>().data();
        for (std::int64_t line = 0; line < grid.batch * grid.outHeight; ++line) {
            if (context.job().cancelled())
                return;
            const std::int64_t row =
                line / grid.outHeight * grid.height +
                nearestSource(grid, line % grid.outHeight, grid.heightScale, grid.height);
            for (std::int64_t x = 0; x < grid.outWidth; ++x) {
                const std::int64_t column = nearestSource(grid, x, grid.widthScale, grid.width);
                T* sums = to.data() + (row * grid.width + column) * grid.channels;
                for (std::int64_t c = 0; c < grid.channels; ++c, ++from)
                    sums[c] = T(wrapping::add(wide(sums[c]), wide(*from)));
            }
        }
    });
    if (context.job().cancelled())
        return cancelledError();
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(back.dtype()));
}

} // namespace

LAPIDARY_KERNEL(ResizeBicubicGrad, runSmoothResizeGrad<true>, .ranks = {Rank::Four, Rank::Four});
LAPIDARY_KERNEL(ResizeBilinearGrad, runSmoothResizeGrad<false>, .ranks = {Rank::Four, Rank::Four});
LAPIDARY_KERNEL(ResizeNearestNeighborGrad, runResizeNearestNeighborGrad,
                .ranks = {Rank::Four, Rank::Vector});

} // namespace lapidary
