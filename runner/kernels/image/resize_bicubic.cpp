// SPDX-License-Identifier: Apache-2.0
// ResizeBicubic: combines four pixels along each axis.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/image/bicubic.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/scratch.h"

namespace lapidary {
namespace {

float weighted(const CubicTaps& taps, const std::array<float, 4>& values)
{
    return values[0] * taps.weight[0] + values[1] * taps.weight[1] + values[2] * taps.weight[2] +
           values[3] * taps.weight[3];
}

// Combines four rows of the source vertically into `line`, which has the source's width.
template <class T>
void combineRows(const T* image, const ResizeGrid& grid, const CubicTaps& rows,
                 std::span<float> line)
{
    const std::int64_t rowSize = grid.width * grid.channels;
    std::array<const T*, 4> from{};
    for (std::size_t k = 0; k < 4; ++k)
        from[k] = image + rows.index[k] * rowSize;
    for (std::size_t i = 0; i < line.size(); ++i)
        line[i] = weighted(
            rows, {float(from[0][i]), float(from[1][i]), float(from[2][i]), float(from[3][i])});
}

void combineColumns(std::span<const float> line, std::span<const CubicTaps> columns,
                    std::int64_t channels, float* out)
{
    for (const CubicTaps& column : columns)
        for (std::int64_t c = 0; c < channels; ++c)
            *out++ = weighted(column, {line[std::size_t(column.index[0] * channels + c)],
                                       line[std::size_t(column.index[1] * channels + c)],
                                       line[std::size_t(column.index[2] * channels + c)],
                                       line[std::size_t(column.index[3] * channels + c)]});
}

template <class T>
Status resize(KernelContext& context, const ResizeGrid& grid, float* out)
{
    ASSIGN_OR_RETURN(auto columns, Scratch<CubicTaps>::make(context.session().pool, grid.outWidth));
    ASSIGN_OR_RETURN(auto line,
                     Scratch<float>::make(context.session().pool, grid.width * grid.channels));
    for (std::int64_t x = 0; x < grid.outWidth; ++x)
        columns[x] = cubicTapsAt(grid, x, grid.widthScale, grid.width);
    const T* image = context.input(0).as<T>().data();
    for (std::int64_t n = 0; n < grid.batch; ++n) {
        for (std::int64_t y = 0; y < grid.outHeight; ++y) {
            if (context.job().cancelled())
                return cancelledError();
            combineRows(image, grid, cubicTapsAt(grid, y, grid.heightScale, grid.height),
                        line.all());
            combineColumns(line.all(), columns.all(), grid.channels, out);
            out += grid.outWidth * grid.channels;
        }
        image += grid.height * grid.width * grid.channels;
    }
    return Done{};
}

Status runResizeBicubic(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto grid, resizeGrid(context));
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, DType::Float, grid.outDims()));
    const DType dtype = context.input(0).dtype();
    if (out.elements() == 0)
        return Done{};
    Status status = Done{};
    const bool known = dispatch(Reals(), dtype, [&](auto zero) {
        using T = decltype(zero);
        status = resize<T>(context, grid, out.template mutableAs<float>().data());
    });
    return known ? status : context.error("cannot resize " + dtypeName(dtype));
}

} // namespace

LAPIDARY_KERNEL(ResizeBicubic, runResizeBicubic);

} // namespace lapidary
