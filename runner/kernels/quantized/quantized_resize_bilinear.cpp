// SPDX-License-Identifier: Apache-2.0
// QuantizedResizeBilinear: bilinear resizing of the codes with fixed-point weights; the range stays
// the same (spec: kernels, B15).
//   top = left * 2^R + (right - left) * weight;  out = (top + (bottom - top) / 2^R * weight) / 2^R
// R is 7 for quint8, 30 for qint32. Floats are resized as floats.
#include "runner/kernels/image/bilinear.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/ranges.h"
#include "runner/kernels/scratch.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>

namespace lapidary {
namespace {

// A position between two source pixels; `weight` is that of the upper one, in units of 2^-R.
struct Between {
    std::int64_t lower;
    std::int64_t upper;
    std::int64_t weight;
};

Between betweenAt(const ResizeGrid& grid, std::int64_t i, float scale, std::int64_t size,
                  std::int64_t one)
{
    const float at = grid.source(i, scale);
    const float floor = std::floor(at);
    return {std::clamp(std::int64_t(floor), std::int64_t(0), size - 1),
            std::clamp(std::int64_t(std::ceil(at)), std::int64_t(0), size - 1),
            std::int64_t((at - floor) * float(one))};
}

std::int64_t number(std::uint8_t code)
{
    return code;
}

std::int64_t number(std::int32_t code)
{
    return throughFloat(code);
}

template <class T>
struct Rows {
    const T* top;
    const T* bottom;
    std::int64_t weight;
};

template <class T>
void resizeRow(const Rows<T>& rows, std::span<const Between> columns, std::int64_t channels,
               std::int64_t one, T* out)
{
    for (const Between& column : columns) {
        const std::int64_t left = column.lower * channels;
        const std::int64_t right = column.upper * channels;
        for (std::int64_t c = 0; c < channels; ++c) {
            const std::int64_t tl = number(rows.top[left + c]);
            const std::int64_t tr = number(rows.top[right + c]);
            const std::int64_t bl = number(rows.bottom[left + c]);
            const std::int64_t br = number(rows.bottom[right + c]);
            const std::int64_t top = tl * one + (tr - tl) * column.weight;
            const std::int64_t bottom = bl * one + (br - bl) * column.weight;
            const std::int64_t value = top + (bottom - top) / one * rows.weight;
            *out++ = T((value + one / 2) / one);
        }
    }
}

template <class T>
Status resize(const KernelContext& context, const ResizeGrid& grid, Value& out)
{
    constexpr std::int64_t one = std::int64_t(1) << (sizeof(T) == 1 ? 7 : 30);
    ASSIGN_OR_RETURN(auto columns, Scratch<Between>::make(context.session().pool, grid.outWidth));
    for (std::int64_t x = 0; x < grid.outWidth; ++x)
        columns[x] = betweenAt(grid, x, grid.widthScale, grid.width, one);
    const T* source = context.input(0).as<T>().data();
    T* target = out.mutableAs<T>().data();
    const std::int64_t rowSize = grid.outWidth * grid.channels;
    parallelFor(
        grid.batch * grid.outHeight, rowSize * 2, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end && !context.job().cancelled(); ++row) {
                const T* image =
                    source + row / grid.outHeight * grid.height * grid.width * grid.channels;
                const Between rows =
                    betweenAt(grid, row % grid.outHeight, grid.heightScale, grid.height, one);
                const std::int64_t line = grid.width * grid.channels;
                resizeRow<T>({image + rows.lower * line, image + rows.upper * line, rows.weight},
                             columns.all(), grid.channels, one, target + row * rowSize);
            }
        });
    return Done{};
}

Status resizeCodes(KernelContext& context, const ResizeGrid& grid)
{
    const Value& images = context.input(0);
    if (grid.height == grid.outHeight && grid.width == grid.outWidth)
        return context.setOutput(0, images);
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, images.dtype(), grid.outDims()));
    if (out.elements() == 0)
        return Done{};
    if (images.dtype() == DType::QUInt8)
        return resize<std::uint8_t>(context, grid, out);
    if (images.dtype() == DType::QInt32)
        return resize<std::int32_t>(context, grid, out);
    return resizeBilinearInto(out.mutableAs<float>(), images, grid, context.session().pool,
                              context.job());
}

Status runQuantizedResizeBilinear(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto range, rangeOf(context, 2));
    const bool alignCorners = context.boolAttr("align_corners");
    const bool halfPixelCenters = context.boolAttr("half_pixel_centers");
    // Unlike ResizeBilinear, this op accepts both attributes together.
    ASSIGN_OR_RETURN(const auto checked,
                     resizeGrid(context, context.input(0), context.input(1), alignCorners, false));
    const ResizeGrid grid = resizeGrid(context.input(0).dims(), checked.outHeight, checked.outWidth,
                                       alignCorners, halfPixelCenters);
    const Status resized = resizeCodes(context, grid);
    return resized ? setRange(context, range) : resized;
}

} // namespace

LAPIDARY_KERNEL(QuantizedResizeBilinear, runQuantizedResizeBilinear);

} // namespace lapidary
