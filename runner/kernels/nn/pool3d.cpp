// SPDX-License-Identifier: Apache-2.0
// MaxPool3D and AvgPool3D over NDHWC data; padding is ignored. MaxPool3DGrad adds the incoming
// gradient to the elements of a window that equal its maximum, AvgPool3DGrad an equal share to each
// one.
#include "runner/kernels/convolution/window.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/lowest.h"
#include "runner/kernels/nn/pooling.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

using Axes = std::array<WindowAxis, 3>;

Result<Axes> axesOf(const KernelContext& context, const Dims& x)
{
    const auto ksize = context.attr("ksize").ints();
    const auto strides = context.attr("strides").ints();
    if (context.stringAttr("data_format", "NDHWC") != "NDHWC")
        return context.error("pools NDHWC data only");
    if (x.size() != 5)
        return context.error("the input must be 5-dimensional, but is " + dimsText(x));
    if (ksize.size() != 5 || strides.size() != 5)
        return context.error("ksize and strides must have 5 values each");
    if (ksize[0] != 1 || strides[0] != 1 || ksize[4] != 1 || strides[4] != 1)
        return context.error("does not pool over the batch or the channels");
    ASSIGN_OR_RETURN(const auto padding, paddingOf(context));
    Axes axes;
    for (std::size_t i = 0; i < 3; ++i) {
        axes[i] = {x[i + 1], ksize[i + 1], strides[i + 1]};
        if (axes[i].kernel < 1)
            return context.error("every ksize must be at least 1");
        RETURN_IF_ERROR(placeWindow(context, axes[i], padding));
    }
    return axes;
}

template <bool isMean>
void poolPixel(const Axes& axes, std::int64_t pixel, const float* x, float* y,
               std::int64_t channels)
{
    std::array<Range, 3> window;
    std::int64_t rest = pixel;
    for (std::size_t i = 3; i-- > 0; rest /= axes[i].output)
        window[i] = clippedWindow(axes[i], rest % axes[i].output);
    std::fill_n(y, channels, isMean ? 0.0F : lowestOf<float>());
    std::int64_t count = 0;
    const std::int64_t height = std::max<std::int64_t>(window[1].end - window[1].begin, 0);
    const std::int64_t lines = std::max<std::int64_t>(window[0].end - window[0].begin, 0) * height;
    for (std::int64_t line = 0; line < lines; ++line) {
        const std::int64_t plane = rest * axes[0].input + window[0].begin + line / height;
        const std::int64_t row = plane * axes[1].input + window[1].begin + line % height;
        for (std::int64_t c = window[2].begin; c < window[2].end; ++c, ++count) {
            const float* from = x + (row * axes[2].input + c) * channels;
            for (std::int64_t k = 0; k < channels; ++k)
                y[k] = isMean ? y[k] + from[k] : from[k] > y[k] ? from[k] : y[k];
        }
    }
    for (std::int64_t k = 0; isMean && k < channels; ++k)
        y[k] /= float(count);
}

template <bool isMean>
Status runPool3d(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto axes, axesOf(context, context.input(0).dims()));
    const Axes& a = axes;
    const Value& x = context.input(0);
    const std::int64_t channels = x.rank() == 5 ? x.dim(4) : 0;
    if (x.dtype() != DType::Float)
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    auto y = context.makeOutput(0, DType::Float,
                                {x.dim(0), a[0].output, a[1].output, a[2].output, channels});
    if (!y || y.value().elements() == 0)
        return y ? Status(Done{}) : y.error();
    const std::int64_t cost = a[0].kernel * a[1].kernel * a[2].kernel * channels;
    parallelFor(y.value().elements() / channels, cost, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t at = begin; at < end && !context.job().cancelled(); ++at)
            poolPixel<isMean>(a, at, x.as<float>().data(),
                              y.value().mutableAs<float>().data() + at * channels, channels);
    });
    return Done{};
}

// Calls each(place) for the elements of one window, in row-major order, with the index of the
// voxel.
template <class Each>
void eachVoxel(const Axes& axes, std::int64_t pixel, const Each& each)
{
    std::array<Range, 3> window;
    for (std::size_t i = 3; i-- > 0; pixel /= axes[i].output)
        window[i] = clippedWindow(axes[i], pixel % axes[i].output);
    for (std::int64_t z = window[0].begin; z < window[0].end; ++z)
        for (std::int64_t y = window[1].begin; y < window[1].end; ++y)
            for (std::int64_t x = window[2].begin; x < window[2].end; ++x)
                each(((pixel * axes[0].input + z) * axes[1].input + y) * axes[2].input + x);
}

Status checkBack3d(const KernelContext& context, const Axes& axes, const Dims& x,
                   std::initializer_list<std::size_t> inputs)
{
    const Dims dims{x[0], axes[0].output, axes[1].output, axes[2].output, x[4]};
    for (const std::size_t input : inputs)
        if (context.input(input).dims() != dims)
            return context.error("its input " + std::to_string(input) + " must have the shape " +
                                 dimsText(dims) + " of what was pooled, but has " +
                                 dimsText(context.input(input).dims()));
    return Done{};
}

Status runMaxPool3dGrad(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto axes, axesOf(context, context.input(0).dims()));
    const Value& x = context.input(0);
    RETURN_IF_ERROR(checkBack3d(context, axes, x.dims(), {1, 2}));
    if (x.dtype() != DType::Float)
        return context.error("has no kernel for " + dtypeName(x.dtype()));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Float, x.dims()));
    const auto to = made.mutableAs<float>();
    std::ranges::fill(to, 0.0F);
    const auto from = x.as<float>();
    const auto largest = context.input(1).as<float>();
    const auto back = context.input(2).as<float>();
    const std::int64_t channels = x.dim(4);
    for (std::size_t i = 0; i < back.size(); ++i) {
        if (context.job().cancelled())
            return cancelledError();
        const std::int64_t channel = std::int64_t(i) % channels;
        eachVoxel(axes, std::int64_t(i) / channels, [&](std::int64_t place) {
            const auto at = std::size_t(place * channels + channel);
            if (from[at] == largest[i])
                to[at] += back[i];
        });
    }
    return Done{};
}

Status runAvgPool3dGrad(KernelContext& context)
{
    const Dims dims = context.input(0).integers();
    if (std::ranges::any_of(dims, [](std::int64_t size) { return size < 0; }))
        return context.error("orig_input_shape is " + dimsText(dims));
    ASSIGN_OR_RETURN(const auto axes, axesOf(context, dims));
    RETURN_IF_ERROR(checkBack3d(context, axes, dims, {1}));
    const Value& back = context.input(1);
    if (back.dtype() != DType::Float)
        return context.error("has no kernel for " + dtypeName(back.dtype()));
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::Float, dims));
    const auto to = made.mutableAs<float>();
    std::ranges::fill(to, 0.0F);
    const std::int64_t channels = dims[4];
    for (std::int64_t at = 0; at < back.elements(); at += channels) {
        if (context.job().cancelled())
            return cancelledError();
        const auto given = back.as<float>().subspan(std::size_t(at), std::size_t(channels));
        std::int64_t count = 0;
        eachVoxel(axes, at / channels, [&](std::int64_t /*place*/) { ++count; });
        eachVoxel(axes, at / channels, [&](std::int64_t place) {
            for (std::size_t k = 0; k < given.size(); ++k)
                to[std::size_t(place * channels) + k] += given[k] / float(count);
        });
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(AvgPool3DGrad, runAvgPool3dGrad, .ranks = {Rank::Vector});
LAPIDARY_KERNEL(MaxPool3DGrad, runMaxPool3dGrad);
LAPIDARY_KERNEL(AvgPool3D, runPool3d<true>);
LAPIDARY_KERNEL(MaxPool3D, runPool3d<false>);

} // namespace lapidary
