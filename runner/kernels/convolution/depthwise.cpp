// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/convolution/depthwise.h"

#include "runner/kernels/wide_loop.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

// The taps of a window along one axis that lie within the input.
struct Taps {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t first = 0; // input position of tap 0; may be outside
};

Taps tapsOf(const WindowAxis& axis, std::int64_t output)
{
    const std::int64_t first = output * axis.stride - axis.before;
    return {std::clamp<std::int64_t>(-first, 0, axis.kernel),
            std::clamp<std::int64_t>(axis.input - first, 0, axis.kernel), first};
}

constexpr std::int64_t blockSize = 16;

// Sums `Count` channels (`count` of them where it is 0) of one output pixel. `x` is the image,
// `filter` the first tap, both at the first channel.
template <std::int64_t Count>
void sumChannels(const Conv2dGeometry& g, const Taps& rows, const Taps& columns, const float* x,
                 const float* filter, float* y, std::int64_t count)
{
    std::array<float, blockSize> sums{};
    const std::int64_t channels = g.outChannels;
    const std::int64_t here = Count > 0 ? Count : count;
    for (std::int64_t i = rows.begin; i < rows.end; ++i)
        for (std::int64_t j = columns.begin; j < columns.end; ++j) {
            const std::int64_t pixel = (rows.first + i) * g.columns.input + columns.first + j;
            const float* const from = x + pixel * channels;
            const float* const tap = filter + (i * g.columns.kernel + j) * channels;
            for (std::int64_t c = 0; c < here; ++c)
                sums[std::size_t(c)] += from[c] * tap[c];
        }
    for (std::int64_t c = 0; c < here; ++c)
        y[c] = sums[std::size_t(c)];
}

void sumRow(const Conv2dGeometry& g, std::int64_t row, const float* x, const float* filter,
            float* y)
{
    const std::int64_t channels = g.outChannels;
    const float* const image = x + row / g.rows.output * g.rows.input * g.columns.input * channels;
    const Taps rows = tapsOf(g.rows, row % g.rows.output);
    for (std::int64_t column = 0; column < g.columns.output; ++column) {
        const Taps columns = tapsOf(g.columns, column);
        float* const to = y + (row * g.columns.output + column) * channels;
        std::int64_t c = 0;
        for (; c + blockSize <= channels; c += blockSize)
            sumChannels<blockSize>(g, rows, columns, image + c, filter + c, to + c, blockSize);
        if (c < channels)
            sumChannels<0>(g, rows, columns, image + c, filter + c, to + c, channels - c);
    }
}

// The input with each channel as often as it has filters.
Result<Value> repeated(KernelContext& context, const Conv2dGeometry& g, const Value& input)
{
    Dims dims = input.dims();
    dims[3] = g.outChannels;
    auto wide = context.allocate(DType::Float, dims);
    if (!wide)
        return wide;
    const std::int64_t times = g.outChannels / g.inChannels;
    const float* from = input.as<float>().data();
    float* const to = wide->mutableAs<float>().data();
    parallelFor(input.elements(), times, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            std::fill_n(to + i * times, times, from[i]);
    });
    return wide;
}

} // namespace

Result<Value> depthwiseFloat(KernelContext& context, const Conv2dGeometry& g, const Value& input,
                             const Value& filter, const PixelsDone& done)
{
    auto y =
        context.allocate(DType::Float, {g.batch, g.rows.output, g.columns.output, g.outChannels});
    if (!y)
        return y;
    Value wide = input;
    if (g.outChannels != g.inChannels) {
        ASSIGN_OR_RETURN(wide, repeated(context, g, input));
    }
    const float* const x = wide.as<float>().data();
    const float* const f = filter.as<float>().data();
    float* const to = y->mutableAs<float>().data();
    const std::int64_t cost = g.columns.output * g.outChannels * g.rows.kernel * g.columns.kernel;
    parallelFor(g.batch * g.rows.output, cost, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            wideLoop([&] { sumRow(g, row, x, f, to); });
            if (done)
                done(to + row * g.columns.output * g.outChannels, g.columns.output);
        }
    });
    return y;
}

} // namespace lapidary
