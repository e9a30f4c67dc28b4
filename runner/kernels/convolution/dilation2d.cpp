// SPDX-License-Identifier: Apache-2.0
// Dilation2D: gray-scale dilation, y = max over the window of x + filter; padding never wins, NaN
// neither, and nothing at all gives the lowest finite value.
#include "runner/kernels/convolution/window.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/elementwise/wrapping.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/lowest.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>

namespace lapidary {
namespace {

struct Windows {
    WindowAxis rows;
    WindowAxis columns;
    std::int64_t channels = 0;
};

template <class T>
void dilatePixel(const Windows& w, std::int64_t at, const T* x, const T* filter, T* y)
{
    const std::int64_t column = at % w.columns.output;
    const std::int64_t row = at / w.columns.output % w.rows.output;
    const std::int64_t image = at / (w.columns.output * w.rows.output);
    std::fill_n(y, w.channels, lowestOf<T>());
    for (std::int64_t tap = 0; tap < w.rows.kernel * w.columns.kernel; ++tap) {
        const std::int64_t r =
            row * w.rows.stride - w.rows.before + tap / w.columns.kernel * w.rows.dilation;
        const std::int64_t c = column * w.columns.stride - w.columns.before +
                               tap % w.columns.kernel * w.columns.dilation;
        if (r < 0 || r >= w.rows.input || c < 0 || c >= w.columns.input)
            continue;
        const T* from = x + ((image * w.rows.input + r) * w.columns.input + c) * w.channels;
        const T* add = filter + tap * w.channels;
        for (std::int64_t k = 0; k < w.channels; ++k) {
            const T sum = T(wrapping::add(wide(from[k]), wide(add[k])));
            y[k] = wide(sum) > wide(y[k]) ? sum : y[k];
        }
    }
}

Result<Windows> windowsOf(const KernelContext& context)
{
    const Value& x = context.input(0);
    const Value& filter = context.input(1);
    if (x.rank() != 4 || filter.rank() != 3)
        return context.error("input and filter must be 4- and 3-dimensional, but are " +
                             dimsText(x.dims()) + " and " + dimsText(filter.dims()));
    if (x.dim(3) != filter.dim(2))
        return context.error("input and filter must have the same depth, but have " +
                             std::to_string(x.dim(3)) + " and " + std::to_string(filter.dim(2)));
    const auto strides = context.attr("strides").ints();
    const auto rates = context.attr("rates").ints();
    for (const auto* steps : {&strides, &rates})
        if (steps->size() != 4 || steps->front() != 1 || steps->back() != 1)
            return context.error("strides and rates must have 4 values each, 1 for the batch "
                                 "and the channels");
    ASSIGN_OR_RETURN(const auto padding, paddingOf(context));
    Windows windows{.rows = {x.dim(1), filter.dim(0), strides[1], rates[1]},
                    .columns = {x.dim(2), filter.dim(1), strides[2], rates[2]},
                    .channels = x.dim(3)};
    for (WindowAxis* axis : {&windows.rows, &windows.columns})
        RETURN_IF_ERROR(placeWindow(context, *axis, padding));
    return windows;
}

Status runDilation2D(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto windows, windowsOf(context));
    const Windows& w = windows;
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(
        auto y,
        context.makeOutput(0, x.dtype(), {x.dim(0), w.rows.output, w.columns.output, w.channels}));
    const bool known = dispatch(Reals(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const T* from = x.as<T>().data();
        const T* filter = context.input(1).as<T>().data();
        T* to = y.template mutableAs<T>().data();
        const std::int64_t cost = w.rows.kernel * w.columns.kernel * w.channels;
        parallelFor(x.dim(0) * w.rows.output * w.columns.output, cost,
                    [&](std::int64_t begin, std::int64_t end) {
                        for (std::int64_t at = begin; at < end && !context.job().cancelled(); ++at)
                            dilatePixel(w, at, from, filter, to + at * w.channels);
                    });
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

LAPIDARY_KERNEL(Dilation2D, runDilation2D);

} // namespace lapidary
