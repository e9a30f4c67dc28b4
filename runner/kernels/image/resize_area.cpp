// SPDX-License-Identifier: Apache-2.0
// ResizeArea: each pixel of the result is the mean of the source pixels under it, weighted by the
// covered area.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/image/resize_grid.h"
#include "runner/kernels/kernel.h"

#include <algorithm>

namespace lapidary {
namespace {

// The part of the source that a pixel of the result covers along one axis: [start, end), in source
// pixels.
struct Cover {
    std::int64_t first;
    std::int64_t last; // one past the end
    float start;
    float end;
    float scale;

    Cover(std::int64_t i, float step)
        : start(float(i) * step)
        , end(float(i + 1) * step)
        , scale(step)
    {
        first = std::int64_t(std::floor(start));
        last = std::int64_t(std::ceil(end));
    }

    float weight(std::int64_t pixel) const
    {
        const auto left = float(pixel);
        const bool endsInside = float(pixel + 1) > end;
        if (left < start)
            return endsInside ? scale : float(pixel + 1) - start;
        return endsInside ? end - left : 1.0F;
    }
};

template <class T>
void addPatch(const T* image, const ResizeGrid& grid, const Cover& rows, const Cover& columns,
              float* sums)
{
    for (std::int64_t y = rows.first; y < rows.last; ++y) {
        const float rowWeight = rows.weight(y);
        const std::int64_t row = std::clamp(y, std::int64_t(0), grid.height - 1);
        for (std::int64_t x = columns.first; x < columns.last; ++x) {
            const float weight = rowWeight * columns.weight(x);
            const std::int64_t column = std::clamp(x, std::int64_t(0), grid.width - 1);
            const T* pixel = image + (row * grid.width + column) * grid.channels;
            for (std::int64_t c = 0; c < grid.channels; ++c)
                sums[c] += float(pixel[c]) * weight;
        }
    }
}

template <class T>
Status resize(const KernelContext& context, const ResizeGrid& grid, std::span<float> out)
{
    const float share = 1.0F / (grid.heightScale * grid.widthScale);
    std::ranges::fill(out, 0.0F);
    float* to = out.data();
    const T* image = context.input(0).as<T>().data();
    for (std::int64_t n = 0; n < grid.batch; ++n) {
        for (std::int64_t y = 0; y < grid.outHeight; ++y) {
            if (context.job().cancelled())
                return cancelledError();
            const Cover rows(y, grid.heightScale);
            for (std::int64_t x = 0; x < grid.outWidth; ++x) {
                addPatch(image, grid, rows, Cover(x, grid.widthScale), to);
                for (std::int64_t c = 0; c < grid.channels; ++c)
                    *to++ *= share;
            }
        }
        image += grid.height * grid.width * grid.channels;
    }
    return Done{};
}

Status runResizeArea(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto grid, resizeGrid(context));
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, DType::Float, grid.outDims()));
    if (out.elements() == 0)
        return Done{};
    const DType dtype = context.input(0).dtype();
    Status status = Done{};
    const bool known = dispatch(Reals(), dtype, [&](auto zero) {
        status = resize<decltype(zero)>(context, grid, out.template mutableAs<float>());
    });
    return known ? status : context.error("cannot resize " + dtypeName(dtype));
}

} // namespace

LAPIDARY_KERNEL(ResizeArea, runResizeArea);

} // namespace lapidary
