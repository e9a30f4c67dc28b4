// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/nn/pooling.h"

#include "runner/kernels/dispatch.h"
#include "runner/kernels/lowest.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>

namespace lapidary {
namespace {

Status checkDepth(const KernelContext& context, const std::vector<std::int64_t>& ksize,
                  const std::vector<std::int64_t>& strides, std::int64_t channels)
{
    if (ksize[1] != 1 || ksize[2] != 1)
        return context.error("pools either over the channels or over rows and columns");
    if (channels % ksize[3] != 0)
        return context.error("the window of " + std::to_string(ksize[3]) +
                             " channels does not divide the input's " + std::to_string(channels));
    if (strides[3] != ksize[3])
        return context.error("over channels the stride must be the window");
    return Done{};
}

// Computes best[c] = max(best[c], pixel[c]).
template <class T>
void takeLarger(T* best, const T* pixel, std::int64_t channels)
{
    for (std::int64_t c = 0; c < channels; ++c)
        best[c] = wide(pixel[c]) > wide(best[c]) ? pixel[c] : best[c];
}

template <class T>
void maximumOfPixel(const Pooling& p, std::int64_t at, const T* x, T* y)
{
    const std::int64_t column = at % p.columns.output;
    const std::int64_t row = at / p.columns.output % p.rows.output;
    const std::int64_t image = at / (p.columns.output * p.rows.output);
    const Range rows = clippedWindow(p.rows, row);
    const Range columns = clippedWindow(p.columns, column);
    std::fill_n(y, p.channels, lowestOf<T>());
    for (std::int64_t r = rows.begin; r < rows.end; ++r) {
        const T* line = x + (image * p.rows.input + r) * p.columns.input * p.channels;
        for (std::int64_t c = columns.begin; c < columns.end; ++c)
            takeLarger(y, line + c * p.channels, p.channels);
    }
}

template <class T>
void maximumOfChannels(const Pooling& p, const T* x, T* y, std::int64_t begin, std::int64_t end)
{
    for (std::int64_t i = begin; i < end; ++i) {
        y[i] = lowestOf<T>();
        for (std::int64_t k = 0; k < p.depthWindow; ++k)
            takeLarger(y + i, x + i * p.depthWindow + k, 1);
    }
}

} // namespace

Range clippedWindow(const WindowAxis& axis, std::int64_t output)
{
    const std::int64_t begin = output * axis.stride - axis.before;
    return {std::max<std::int64_t>(begin, 0), std::min(begin + axis.kernel, axis.input)};
}

Result<Pooling> poolingOf(const KernelContext& context, const Dims& x,
                          const std::vector<std::int64_t>& ksize,
                          const std::vector<std::int64_t>& strides)
{
    if (context.stringAttr("data_format", "NHWC") != "NHWC")
        return context.error("pools NHWC data only");
    if (ksize.size() != 4 || strides.size() != 4)
        return context.error("ksize and strides must have 4 values each");
    if (std::ranges::any_of(ksize, [](std::int64_t k) { return k < 1; }))
        return context.error("every ksize must be at least 1");
    if (std::ranges::any_of(strides, [](std::int64_t s) { return s < 1; }))
        return context.error("every stride must be at least 1");
    if (ksize[0] != 1 || strides[0] != 1)
        return context.error("does not pool over the batch");
    if (x.size() != 4)
        return context.error("the input must be 4-dimensional, but is " + dimsText(x));
    ASSIGN_OR_RETURN(const auto padding, paddingOf(context));
    Pooling pooling{.batch = x[0],
                    .channels = x[3],
                    .rows = {x[1], ksize[1], strides[1]},
                    .columns = {x[2], ksize[2], strides[2]},
                    .depthWindow = ksize[3]};
    if (pooling.depthWindow > 1) {
        RETURN_IF_ERROR(checkDepth(context, ksize, strides, x[3]));
        pooling.rows.output = x[1];
        pooling.columns.output = x[2];
        return pooling;
    }
    for (WindowAxis* axis : {&pooling.rows, &pooling.columns})
        RETURN_IF_ERROR(placeWindow(context, *axis, padding));
    return pooling;
}

Result<Pooling> poolingOf(const KernelContext& context, const std::vector<std::int64_t>& ksize,
                          const std::vector<std::int64_t>& strides)
{
    return poolingOf(context, context.input(0).dims(), ksize, strides);
}

Status poolMaximum(KernelContext& context, const Pooling& p)
{
    const Value& x = context.input(0);
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, x.dtype(), p.outputDims()));
    const DType stored = x.dtype() == DType::QUInt8 ? DType::UInt8 : x.dtype();
    const bool known = dispatch(Reals(), stored, [&](auto zero) {
        using T = decltype(zero);
        const T* from = x.as<T>().data();
        T* to = y.template mutableAs<T>().data();
        if (p.depthWindow > 1)
            return maximumOfChannels(p, from, to, 0, y.elements());
        const std::int64_t cost = p.rows.kernel * p.columns.kernel * p.channels / 2;
        parallelFor(p.outputPixels(), cost, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t at = begin; at < end && !context.job().cancelled(); ++at)
                maximumOfPixel(p, at, from, to + at * p.channels);
        });
    });
    if (!known)
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    return Done{};
}

} // namespace lapidary
