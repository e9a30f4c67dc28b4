// SPDX-License-Identifier: Apache-2.0
// Dilation2D: gray-scale dilation, y = max over the window of x + filter. Padding and NaN are never
// the maximum; an empty window gives the lowest finite value. Its gradients add the incoming
// gradient to the element of the data, or of the filter, of the maximum; to the first of equal
// ones.
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

// The position of the maximum of one output element: the index in the data and the tap.
struct Winner {
    std::int64_t place = 0;
    std::int64_t tap = 0;
};

template <class T>
Winner winnerOf(const Windows& w, std::int64_t pixel, std::int64_t channel, const T* x,
                const T* filter)
{
    const std::int64_t image = pixel / (w.columns.output * w.rows.output);
    const std::int64_t top = pixel / w.columns.output % w.rows.output * w.rows.stride;
    const std::int64_t left = pixel % w.columns.output * w.columns.stride;
    // As in TensorFlow if there is no maximum: the first element of the window, or of the data.
    const auto inside = [](std::int64_t at, std::int64_t before) {
        return std::max<std::int64_t>(at - before, 0);
    };
    Winner winner{(image * w.rows.input + inside(top, w.rows.before)) * w.columns.input +
                      inside(left, w.columns.before),
                  0};
    T best = lowestOf<T>();
    for (std::int64_t tap = 0; tap < w.rows.kernel * w.columns.kernel; ++tap) {
        const std::int64_t r = top - w.rows.before + tap / w.columns.kernel * w.rows.dilation;
        const std::int64_t c =
            left - w.columns.before + tap % w.columns.kernel * w.columns.dilation;
        if (r < 0 || r >= w.rows.input || c < 0 || c >= w.columns.input)
            continue;
        const std::int64_t place = (image * w.rows.input + r) * w.columns.input + c;
        const T sum = T(wrapping::add(wide(x[place * w.channels + channel]),
                                      wide(filter[tap * w.channels + channel])));
        if (wide(sum) > wide(best)) {
            best = sum;
            winner = {place, tap};
        }
    }
    return winner;
}

template <class T, bool ofFilter>
void addBack(const KernelContext& context, const Windows& w, std::span<T> to)
{
    std::ranges::fill(to, T(0));
    const auto x = context.input(0).as<T>();
    const auto filter = context.input(1).as<T>();
    const auto back = context.input(2).as<T>();
    for (std::size_t i = 0; i < back.size() && !context.job().cancelled(); ++i) {
        const std::int64_t channel = std::int64_t(i) % w.channels;
        const Winner winner =
            winnerOf(w, std::int64_t(i) / w.channels, channel, x.data(), filter.data());
        T& sum = to[std::size_t((ofFilter ? winner.tap : winner.place) * w.channels + channel)];
        sum = T(wrapping::add(wide(sum), wide(back[i])));
    }
}

template <bool ofFilter>
Status runDilationGradient(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto windows, windowsOf(context));
    const Windows& w = windows;
    const Value& x = context.input(0);
    const Value& back = context.input(2);
    const Dims dims{x.dim(0), w.rows.output, w.columns.output, w.channels};
    if (back.dims() != dims)
        return context.error("out_backprop must have the shape " + dimsText(dims) +
                             " of the result, but has " + dimsText(back.dims()));
    ASSIGN_OR_RETURN(auto y,
                     context.makeOutput(0, x.dtype(), context.input(ofFilter ? 1 : 0).dims()));
    const bool known = y.elements() == 0 || dispatch(Reals(), x.dtype(), [&](auto zero) {
                           using T = decltype(zero);
                           addBack<T, ofFilter>(context, w, y.template mutableAs<T>());
                       });
    if (context.job().cancelled())
        return cancelledError();
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

LAPIDARY_KERNEL(Dilation2DBackpropFilter, runDilationGradient<true>);
LAPIDARY_KERNEL(Dilation2DBackpropInput, runDilationGradient<false>);
LAPIDARY_KERNEL(Dilation2D, runDilation2D);

} // namespace lapidary
