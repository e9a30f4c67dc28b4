// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/image/bilinear.h"

#include "runner/kernels/dispatch.h"
#include "runner/kernels/scratch.h"

#include <algorithm>

namespace lapidary {
namespace {

// A position between two source pixels: lower + (upper - lower) * fraction.
struct Between {
    std::int64_t lower;
    std::int64_t upper;
    float fraction;
};

Between betweenAt(const ResizeGrid& grid, std::int64_t i, float scale, std::int64_t size)
{
    const float at = grid.source(i, scale);
    const float floor = std::floor(at);
    return {std::clamp(std::int64_t(floor), std::int64_t(0), size - 1),
            std::clamp(std::int64_t(std::ceil(at)), std::int64_t(0), size - 1), at - floor};
}

// A source row, resized horizontally. It is kept while the next output rows need it.
struct WideRow {
    std::span<float> values;
    std::int64_t row = -1;
};

template <class T>
class Bilinear {
public:
    Bilinear(const T* pixels, const ResizeGrid& grid, std::span<const Between> columns)
        : m_pixels(pixels)
        , m_grid(grid)
        , m_columns(columns)
    {
    }

    void widen(std::int64_t row, WideRow& wide) const
    {
        wide.row = row;
        const T* source = m_pixels + row * m_grid.width * m_grid.channels;
        float* out = wide.values.data();
        for (const Between& column : m_columns) {
            const T* left = source + column.lower * m_grid.channels;
            const T* right = source + column.upper * m_grid.channels;
            for (std::int64_t c = 0; c < m_grid.channels; ++c) {
                const float from(left[c]);
                out[c] = from + (float(right[c]) - from) * column.fraction;
            }
            out += m_grid.channels;
        }
    }

    // Puts both rows of `between` into `top` and `bottom`; rows that are there already are kept.
    void prepare(const Between& between, WideRow& top, WideRow& bottom) const
    {
        if (top.row != between.lower && bottom.row == between.lower)
            std::swap(top, bottom);
        if (top.row != between.lower)
            widen(between.lower, top);
        if (bottom.row != between.upper && between.upper != between.lower)
            widen(between.upper, bottom);
    }

private:
    const T* m_pixels;
    const ResizeGrid& m_grid;
    std::span<const Between> m_columns;
};

void blend(std::span<const float> top, std::span<const float> bottom, float fraction, float* out)
{
    for (std::size_t i = 0; i < top.size(); ++i)
        out[i] = top[i] + (bottom[i] - top[i]) * fraction;
}

template <class T>
Status resize(float* out, const Value& images, const ResizeGrid& grid, MemoryPool& pool,
              const Job& job)
{
    ASSIGN_OR_RETURN(auto columns, Scratch<Between>::make(pool, grid.outWidth));
    for (std::int64_t x = 0; x < grid.outWidth; ++x)
        columns[x] = betweenAt(grid, x, grid.widthScale, grid.width);
    const std::int64_t rowSize = grid.outWidth * grid.channels;
    ASSIGN_OR_RETURN(auto rows, Scratch<float>::make(pool, 2 * rowSize));
    const auto half = std::size_t(rowSize);
    for (std::int64_t n = 0; n < grid.batch; ++n) {
        const T* pixels = images.as<T>().data() + n * grid.height * grid.width * grid.channels;
        const Bilinear<T> bilinear(pixels, grid, columns.all());
        WideRow top{rows.all().first(half)};
        WideRow bottom{rows.all().last(half)};
        for (std::int64_t y = 0; y < grid.outHeight; ++y, out += rowSize) {
            if (job.cancelled())
                return cancelledError();
            const Between between = betweenAt(grid, y, grid.heightScale, grid.height);
            bilinear.prepare(between, top, bottom);
            const WideRow& lower = between.upper == between.lower ? top : bottom;
            blend(top.values, lower.values, between.fraction, out);
        }
    }
    return Done{};
}

} // namespace

Status resizeBilinearInto(std::span<float> out, const Value& images, const ResizeGrid& grid,
                          MemoryPool& pool, const Job& job)
{
    if (out.empty())
        return Done{};
    Status status = Done{};
    const bool known = dispatch(Reals(), images.dtype(), [&](auto zero) {
        using T = decltype(zero);
        if (grid.height == grid.outHeight && grid.width == grid.outWidth)
            std::ranges::transform(images.as<T>(), out.begin(), [](T x) { return float(x); });
        else
            status = resize<T>(out.data(), images, grid, pool, job);
    });
    if (!known)
        return Error{ErrorCode::Unsupported, "cannot resize " + dtypeName(images.dtype())};
    return status;
}

} // namespace lapidary
