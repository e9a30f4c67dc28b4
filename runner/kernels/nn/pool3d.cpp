// SPDX-License-Identifier: Apache-2.0
// MaxPool3D and AvgPool3D over NDHWC data; padding takes no part.
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

Result<Axes> axesOf(const KernelContext& context)
{
    const Value& x = context.input(0);
    const auto ksize = context.attr("ksize").ints();
    const auto strides = context.attr("strides").ints();
    if (context.stringAttr("data_format", "NDHWC") != "NDHWC")
        return context.error("pools NDHWC data only");
    if (x.rank() != 5)
        return context.error("the input must be 5-dimensional, but is " + dimsText(x.dims()));
    if (ksize.size() != 5 || strides.size() != 5)
        return context.error("ksize and strides must have 5 values each");
    if (ksize[0] != 1 || strides[0] != 1 || ksize[4] != 1 || strides[4] != 1)
        return context.error("does not pool over the batch or the channels");
    ASSIGN_OR_RETURN(const auto padding, paddingOf(context));
    Axes axes;
    for (std::size_t i = 0; i < 3; ++i) {
        axes[i] = {x.dim(int(i) + 1), ksize[i + 1], strides[i + 1]};
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
    ASSIGN_OR_RETURN(const auto axes, axesOf(context));
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

} // namespace

LAPIDARY_KERNEL(AvgPool3D, runPool3d<true>);
LAPIDARY_KERNEL(MaxPool3D, runPool3d<false>);

} // namespace lapidary
