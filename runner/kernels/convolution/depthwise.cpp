// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/convolution/depthwise.h"

#include "runner/kernels/convolution/depthwise_windows.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>

namespace lapidary {
namespace {

// The taps of a window along one axis within the input.
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

// Returns the number of outputs, from this one on, with the same taps.
std::int64_t alikeFrom(const WindowAxis& axis, std::int64_t output, const Taps& taps)
{
    if (taps.begin > 0 || taps.end < axis.kernel)
        return 1;
    const std::int64_t last = (axis.input - axis.kernel - taps.first) / axis.stride;
    return std::min(axis.output - output, last + 1);
}

// Computes one row of outputs; rows of all images are numbered one after the other.
void sumRow(const Conv2dGeometry& g, std::int64_t row, const float* x, const float* filter,
            float* y, int8::Ending* ending)
{
    const std::int64_t channels = g.outChannels;
    const std::int64_t xRow = g.columns.input * channels;
    const std::int64_t tapRow = g.columns.kernel * channels;
    const float* const image = x + row / g.rows.output * g.rows.input * xRow;
    const Taps rows = tapsOf(g.rows, row % g.rows.output);
    int8::RealRange range = int8::noReals;
    for (std::int64_t column = 0; column < g.columns.output;) {
        const Taps columns = tapsOf(g.columns, column);
        const std::int64_t count = alikeFrom(g.columns, column, columns);
        const DepthwiseWindows windows{.x = image + (rows.first + rows.begin) * xRow +
                                            (columns.first + columns.begin) * channels,
                                       .xRow = xRow,
                                       .xStep = g.columns.stride * channels,
                                       .taps =
                                           filter + rows.begin * tapRow + columns.begin * channels,
                                       .tapRow = tapRow,
                                       .rows = rows.end - rows.begin,
                                       .columns = columns.end - columns.begin,
                                       .y = y + (row * g.columns.output + column) * channels,
                                       .outputs = count,
                                       .channels = channels};
        sumWindows(windows, ending == nullptr ? nullptr : &ending->byChannel(), range);
        column += count;
    }
    if (ending != nullptr)
        ending->include(range);
}

// Returns the input with each channel repeated as often as it has filters.
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
                             const Value& filter, int8::Ending* ending)
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
        for (std::int64_t row = begin; row < end; ++row)
            sumRow(g, row, x, f, to, ending);
    });
    return y;
}

} // namespace lapidary
