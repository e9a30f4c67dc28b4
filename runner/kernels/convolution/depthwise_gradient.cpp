// SPDX-License-Identifier: Apache-2.0
// DepthwiseConv2dNativeBackpropInput, DepthwiseConv2dNativeBackpropFilter: the gradients of
// DepthwiseConv2dNative for its data and its filter, NHWC without dilation: channel c of the data
// makes the channels c m to c m + m - 1 of the result. Half is summed in float and rounded once.
#include "runner/kernels/convolution/convolution_geometry.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace lapidary {
namespace {

using DepthwiseTypes = TypeList<float, double, Half>;

Result<Conv2dGeometry> depthwiseGradient(const KernelContext& context, const ConvolvedDims& dims)
{
    if (context.stringAttr("data_format", "NHWC") != "NHWC")
        return context.error("computes NHWC only");
    for (const Dims* each : {&dims.data, &dims.filter, &dims.result}) {
        if (each->size() != 4)
            return context.error("data, filter and out_backprop must be 4-dimensional, but are " +
                                 dimsText(dims.data) + ", " + dimsText(dims.filter) + " and " +
                                 dimsText(dims.result));
        for (const std::int64_t size : *each)
            if (size < 0 || size > std::numeric_limits<std::int32_t>::max())
                return context.error("the sizes " + dimsText(*each) + " are out of range");
    }
    if (dims.data[0] != dims.result[0] || dims.data[3] != dims.filter[2] ||
        dims.data[3] * dims.filter[3] != dims.result[3])
        return context.error("data of shape " + dimsText(dims.data) + ", a filter of " +
                             dimsText(dims.filter) + " and out_backprop of " +
                             dimsText(dims.result) + " do not fit each other");
    ASSIGN_OR_RETURN(const auto windows, gradientWindows(context, dims));
    if (windows[0].stride != windows[1].stride)
        return context.error("strides of rows and columns must be equal");
    return Conv2dGeometry{.batch = dims.data[0],
                          .inChannels = dims.data[3],
                          .outChannels = dims.result[3],
                          .rows = windows[0],
                          .columns = windows[1],
                          .kind = onednn::ConvKind::Depthwise};
}

// Returns the output whose window has its element `tap` at index `at`; -1 if there is none.
std::int64_t outputThatReads(const WindowAxis& axis, std::int64_t at, std::int64_t tap)
{
    const std::int64_t distance = at + axis.before - tap;
    if (distance < 0 || distance % axis.stride != 0 || distance / axis.stride >= axis.output)
        return -1;
    return distance / axis.stride;
}

// The sums of one row of the result, which are rounded to T once.
template <class T>
using Sums = std::vector<decltype(wide(T()))>;

// Fills `y` by rows of `width` elements: sum(row, sums) adds up one row, from zero. `cost`: number
// of products of a row.
template <class T, class SumRow>
void fillRows(Value& y, std::int64_t width, std::int64_t cost, const Job& job, const SumRow& sum)
{
    T* const to = y.template mutableAs<T>().data();
    parallelFor(y.elements() / width, cost + 1, [&](std::int64_t begin, std::int64_t end) {
        Sums<T> sums(std::size_t(width), 0);
        for (std::int64_t row = begin; row < end && !job.cancelled(); ++row) {
            std::ranges::fill(sums, 0);
            sum(row, sums);
            std::ranges::transform(sums, to + row * width, [](auto each) { return T(each); });
        }
    });
}

// Calls `fill` with a zero of the type of `dtype`.
template <class Fill>
Status fillGradient(const KernelContext& context, DType dtype, const Fill& fill)
{
    const bool known = dispatch(DepthwiseTypes(), dtype, fill);
    if (context.job().cancelled())
        return cancelledError();
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(dtype));
}

// Computes the gradient of one pixel of the data.
template <class T>
void sumPixel(const Conv2dGeometry& g, std::int64_t pixel, const T* filter, const T* back,
              Sums<T>& sums)
{
    const std::int64_t times = g.outChannels / g.inChannels;
    const std::int64_t image = pixel / (g.rows.input * g.columns.input);
    for (std::int64_t tap = 0; tap < g.rows.kernel * g.columns.kernel; ++tap) {
        const std::int64_t row =
            outputThatReads(g.rows, pixel / g.columns.input % g.rows.input, tap / g.columns.kernel);
        const std::int64_t column =
            outputThatReads(g.columns, pixel % g.columns.input, tap % g.columns.kernel);
        if (row < 0 || column < 0)
            continue;
        const T* from =
            back + ((image * g.rows.output + row) * g.columns.output + column) * g.outChannels;
        const T* weights = filter + tap * g.outChannels;
        for (std::int64_t k = 0; k < g.outChannels; ++k)
            sums[std::size_t(k / times)] += wide(from[k]) * wide(weights[k]);
    }
}

Status runBackpropInput(KernelContext& context)
{
    const Value& filter = context.input(1);
    const Value& back = context.input(2);
    const Dims sizes = context.input(0).integers();
    ASSIGN_OR_RETURN(const auto geometry,
                     depthwiseGradient(
                         context, {.data = sizes, .filter = filter.dims(), .result = back.dims()}));
    const Conv2dGeometry& g = geometry;
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, back.dtype(), sizes));
    if (y.elements() == 0)
        return Done{};
    const std::int64_t cost = g.rows.kernel * g.columns.kernel * g.outChannels;
    return fillGradient(context, back.dtype(), [&](auto zero) {
        using T = decltype(zero);
        fillRows<T>(y, g.inChannels, cost, context.job(), [&](std::int64_t pixel, Sums<T>& sums) {
            sumPixel(g, pixel, filter.as<T>().data(), back.as<T>().data(), sums);
        });
    });
}

// Computes the gradient of one element of the filter, for all channels.
template <class T>
void sumTap(const Conv2dGeometry& g, std::int64_t tap, const T* x, const T* back, const Job& job,
            Sums<T>& sums)
{
    const std::int64_t times = g.outChannels / g.inChannels;
    for (std::int64_t line = 0; line < g.batch * g.rows.output && !job.cancelled(); ++line) {
        const std::int64_t row =
            line % g.rows.output * g.rows.stride - g.rows.before + tap / g.columns.kernel;
        if (row < 0 || row >= g.rows.input)
            continue;
        const std::int64_t image = line / g.rows.output;
        for (std::int64_t i = 0; i < g.columns.output; ++i) {
            const std::int64_t column =
                i * g.columns.stride - g.columns.before + tap % g.columns.kernel;
            if (column < 0 || column >= g.columns.input)
                continue;
            const T* data =
                x + ((image * g.rows.input + row) * g.columns.input + column) * g.inChannels;
            const T* from = back + (line * g.columns.output + i) * g.outChannels;
            for (std::int64_t k = 0; k < g.outChannels; ++k)
                sums[std::size_t(k)] += wide(data[k / times]) * wide(from[k]);
        }
    }
}

Status runBackpropFilter(KernelContext& context)
{
    const Value& x = context.input(0);
    const Value& back = context.input(2);
    const Dims sizes = context.input(1).integers();
    ASSIGN_OR_RETURN(
        const auto geometry,
        depthwiseGradient(context, {.data = x.dims(), .filter = sizes, .result = back.dims()}));
    const Conv2dGeometry& g = geometry;
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, back.dtype(), sizes));
    if (y.elements() == 0)
        return Done{};
    const std::int64_t cost = g.batch * g.rows.output * g.columns.output * g.outChannels;
    return fillGradient(context, back.dtype(), [&](auto zero) {
        using T = decltype(zero);
        fillRows<T>(y, g.outChannels, cost, context.job(), [&](std::int64_t tap, Sums<T>& sums) {
            sumTap(g, tap, x.as<T>().data(), back.as<T>().data(), context.job(), sums);
        });
    });
}

} // namespace

LAPIDARY_KERNEL(DepthwiseConv2dNativeBackpropFilter, runBackpropFilter,
                .ranks = {Rank::Four, Rank::Vector, Rank::Four});
LAPIDARY_KERNEL(DepthwiseConv2dNativeBackpropInput, runBackpropInput,
                .ranks = {Rank::Vector, Rank::Four, Rank::Four});

} // namespace lapidary
