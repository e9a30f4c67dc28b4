// SPDX-License-Identifier: Apache-2.0
// Conv3D: cross-correlation of NDHWC volumes with a DHWIO filter. Half is summed in float and
// rounded once. TensorFlow's kernel for processors has no dilation; files of other formats do.
#include "runner/kernels/convolution/window.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

struct Volume {
    std::int64_t batch = 0;
    std::int64_t inChannels = 0;
    std::int64_t outChannels = 0;
    std::array<WindowAxis, 3> axes;

    std::int64_t inOffset(std::int64_t image, const std::array<std::int64_t, 3>& at) const
    {
        std::int64_t offset = image;
        for (std::size_t i = 0; i < 3; ++i)
            offset = offset * axes[i].input + at[i];
        return offset * inChannels;
    }
};

template <class T, class W>
void sumPixel(const Volume& v, std::int64_t pixel, const T* x, const T* filter, W* sums)
{
    std::array<std::int64_t, 3> out{};
    for (std::size_t i = 3; i-- > 0; pixel /= v.axes[i].output)
        out[i] = pixel % v.axes[i].output;
    const std::int64_t taps = v.axes[0].kernel * v.axes[1].kernel * v.axes[2].kernel;
    std::fill_n(sums, v.outChannels, W(0));
    for (std::int64_t tap = 0; tap < taps; ++tap) {
        std::array<std::int64_t, 3> at{};
        bool inside = true;
        std::int64_t rest = tap;
        for (std::size_t i = 3; i-- > 0; rest /= v.axes[i].kernel) {
            at[i] = out[i] * v.axes[i].stride - v.axes[i].before +
                    rest % v.axes[i].kernel * v.axes[i].dilation;
            inside = inside && at[i] >= 0 && at[i] < v.axes[i].input;
        }
        if (!inside)
            continue;
        const T* from = x + v.inOffset(pixel, at);
        const T* weights = filter + tap * v.inChannels * v.outChannels;
        for (std::int64_t c = 0; c < v.inChannels; ++c)
            for (std::int64_t k = 0; k < v.outChannels; ++k)
                sums[k] += wide(from[c]) * wide(weights[c * v.outChannels + k]);
    }
}

template <class T>
void convolveVolume(const Volume& v, const T* x, const T* filter, T* y, const Job& job)
{
    using W = decltype(wide(T()));
    const std::int64_t pixels = v.batch * v.axes[0].output * v.axes[1].output * v.axes[2].output;
    const std::int64_t taps = v.axes[0].kernel * v.axes[1].kernel * v.axes[2].kernel;
    parallelFor(
        pixels, taps * v.inChannels * v.outChannels / 2, [&](std::int64_t begin, std::int64_t end) {
            std::vector<W> sums(std::size_t(v.outChannels));
            for (std::int64_t at = begin; at < end && !job.cancelled(); ++at) {
                sumPixel(v, at, x, filter, sums.data());
                std::ranges::transform(sums, y + at * v.outChannels, [](W sum) { return T(sum); });
            }
        });
}

Result<Volume> volumeOf(const KernelContext& context)
{
    const Value& x = context.input(0);
    const Value& filter = context.input(1);
    if (context.stringAttr("data_format", "NDHWC") != "NDHWC")
        return context.error("Conv3D computes NDHWC only");
    if (x.rank() != 5 || filter.rank() != 5)
        return context.error("input and filter must be 5-dimensional, but are " +
                             dimsText(x.dims()) + " and " + dimsText(filter.dims()));
    if (x.dim(4) != filter.dim(3))
        return context.error("the input has " + std::to_string(x.dim(4)) +
                             " channels, but the filter takes " + std::to_string(filter.dim(3)));
    ASSIGN_OR_RETURN(const auto attributes, convAttributes(context, 3));
    Volume volume{
        .batch = x.dim(0), .inChannels = x.dim(4), .outChannels = filter.dim(4), .axes = {}};
    for (std::size_t i = 0; i < 3; ++i) {
        volume.axes[i] = attributes.axes[i];
        volume.axes[i].input = x.dim(int(i) + 1);
        volume.axes[i].kernel = filter.dim(int(i));
        RETURN_IF_ERROR(placeWindow(context, volume.axes[i], attributes.padding));
    }
    return volume;
}

Status runConv3D(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto volume, volumeOf(context));
    const Volume& v = volume;
    const Value& x = context.input(0);
    auto y = context.makeOutput(
        0, x.dtype(),
        {v.batch, v.axes[0].output, v.axes[1].output, v.axes[2].output, v.outChannels});
    if (!y || y.value().elements() == 0)
        return y ? Status(Done{}) : y.error();
    const bool known = dispatch(TypeList<float, double, Half>(), x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        convolveVolume(v, x.as<T>().data(), context.input(1).as<T>().data(),
                       y.value().template mutableAs<T>().data(), context.job());
    });
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(x.dtype()));
}

} // namespace

LAPIDARY_KERNEL(Conv3D, runConv3D);

} // namespace lapidary
