// SPDX-License-Identifier: Apache-2.0
// Conv3DBackpropInput, Conv3DBackpropInputV2: the transposed convolution of NDHWC volumes, that is
// the gradient of Conv3D for an input of the given size. No dilation. Half is summed in float and
// rounded once.
#include "runner/kernels/convolution/window.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lapidary {
namespace {

using Position = std::array<std::int64_t, 3>;

struct TransposedVolume {
    std::int64_t batch = 0;
    std::int64_t inChannels = 0;  // of the result
    std::int64_t outChannels = 0; // of the gradient
    std::array<WindowAxis, 3> axes;
};

// The position in the gradient whose window reaches `at` by tap `tap`; false where there is none.
bool sourceOf(const TransposedVolume& v, const Position& at, std::int64_t tap, Position& from)
{
    for (std::size_t i = 3; i-- > 0; tap /= v.axes[i].kernel) {
        const std::int64_t distance = at[i] + v.axes[i].before - tap % v.axes[i].kernel;
        if (distance < 0 || distance % v.axes[i].stride != 0)
            return false;
        from[i] = distance / v.axes[i].stride;
        if (from[i] >= v.axes[i].output)
            return false;
    }
    return true;
}

template <class T, class W>
void sumVoxel(const TransposedVolume& v, std::int64_t voxel, const T* grad, const T* filter,
              W* sums)
{
    Position at{};
    for (std::size_t i = 3; i-- > 0; voxel /= v.axes[i].input)
        at[i] = voxel % v.axes[i].input;
    const std::int64_t taps = v.axes[0].kernel * v.axes[1].kernel * v.axes[2].kernel;
    std::fill_n(sums, v.inChannels, W(0));
    for (std::int64_t tap = 0; tap < taps; ++tap) {
        Position source{};
        if (!sourceOf(v, at, tap, source))
            continue;
        std::int64_t offset = voxel; // the image
        for (std::size_t i = 0; i < 3; ++i)
            offset = offset * v.axes[i].output + source[i];
        const T* from = grad + offset * v.outChannels;
        const T* weights = filter + tap * v.inChannels * v.outChannels;
        for (std::int64_t c = 0; c < v.inChannels; ++c)
            for (std::int64_t k = 0; k < v.outChannels; ++k)
                sums[c] += wide(from[k]) * wide(weights[c * v.outChannels + k]);
    }
}

template <class T>
void fillVolume(const TransposedVolume& v, const T* grad, const T* filter, T* y, const Job& job)
{
    using W = decltype(wide(T()));
    const std::int64_t voxels = v.batch * v.axes[0].input * v.axes[1].input * v.axes[2].input;
    const std::int64_t taps = v.axes[0].kernel * v.axes[1].kernel * v.axes[2].kernel;
    parallelFor(voxels, taps * v.inChannels * v.outChannels / 2 + 1,
                [&](std::int64_t begin, std::int64_t end) {
                    std::vector<W> sums(std::size_t(v.inChannels));
                    for (std::int64_t at = begin; at < end && !job.cancelled(); ++at) {
                        sumVoxel(v, at, grad, filter, sums.data());
                        std::ranges::transform(sums, y + at * v.inChannels,
                                               [](W sum) { return T(sum); });
                    }
                });
}

Status checkVolumeShapes(const KernelContext& context, const Dims& sizes)
{
    const Value& filter = context.input(1);
    const Value& grad = context.input(2);
    if (context.stringAttr("data_format", "NDHWC") != "NDHWC")
        return context.error("computes NDHWC only");
    if (sizes.size() != 5 || filter.rank() != 5 || grad.rank() != 5)
        return context.error("the input's size, filter and out_backprop must be 5-dimensional, but "
                             "are " +
                             dimsText(sizes) + ", " + dimsText(filter.dims()) + " and " +
                             dimsText(grad.dims()));
    for (const std::int64_t size : sizes)
        if (size < 0 || size > std::numeric_limits<std::int32_t>::max())
            return context.error("the input has the size " + std::to_string(size));
    if (sizes[0] != grad.dim(0) || sizes[4] != filter.dim(3) || grad.dim(4) != filter.dim(4))
        return context.error("an input of shape " + dimsText(sizes) + ", a filter of " +
                             dimsText(filter.dims()) + " and out_backprop of " +
                             dimsText(grad.dims()) + " do not fit each other");
    return Done{};
}

Result<TransposedVolume> volumeOf(const KernelContext& context, const Dims& sizes)
{
    RETURN_IF_ERROR(checkVolumeShapes(context, sizes));
    const Value& filter = context.input(1);
    const Value& grad = context.input(2);
    ASSIGN_OR_RETURN(const auto attributes, convAttributes(context, 3));
    TransposedVolume volume{
        .batch = sizes[0], .inChannels = sizes[4], .outChannels = filter.dim(4), .axes = {}};
    for (std::size_t i = 0; i < 3; ++i) {
        WindowAxis& axis = volume.axes[i];
        axis = attributes.axes[i];
        axis.input = sizes[i + 1];
        axis.kernel = filter.dim(int(i));
        if (axis.dilation != 1)
            return context.error("dilations must be 1");
        RETURN_IF_ERROR(placeWindow(context, axis, attributes.padding));
        if (axis.output != grad.dim(int(i) + 1))
            return context.error("out_backprop has the size " +
                                 std::to_string(grad.dim(int(i) + 1)) +
                                 " where the input's size gives " + std::to_string(axis.output));
    }
    return volume;
}

Status runWithSizes(KernelContext& context, const Dims& sizes)
{
    ASSIGN_OR_RETURN(const auto volume, volumeOf(context, sizes));
    const Value& grad = context.input(2);
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, grad.dtype(), sizes));
    if (y.elements() == 0)
        return Done{};
    const bool known = dispatch(TypeList<float, double, Half>(), grad.dtype(), [&](auto zero) {
        using T = decltype(zero);
        fillVolume(volume, grad.as<T>().data(), context.input(1).as<T>().data(),
                   y.template mutableAs<T>().data(), context.job());
    });
    if (context.job().cancelled())
        return cancelledError();
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(grad.dtype()));
}

Status runConv3DBackpropInput(KernelContext& context)
{
    return runWithSizes(context, context.input(0).dims());
}

Status runConv3DBackpropInputV2(KernelContext& context)
{
    return runWithSizes(context, context.input(0).integers());
}

} // namespace

LAPIDARY_KERNEL(Conv3DBackpropInput, runConv3DBackpropInput);
LAPIDARY_KERNEL(Conv3DBackpropInputV2, runConv3DBackpropInputV2, .ranks = {Rank::Vector});

} // namespace lapidary
