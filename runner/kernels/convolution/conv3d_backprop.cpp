// SPDX-License-Identifier: Apache-2.0
// Conv3DBackpropInput, Conv3DBackpropInputV2: the transposed convolution of NDHWC volumes, that is
// the gradient of Conv3D for an input of the given size. Conv3DBackpropFilter,
// Conv3DBackpropFilterV2: its gradient for a filter of the given size. No dilation. Half is summed
// in float and rounded once.
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

// Finds the position in the gradient whose window has `at` at tap `tap`; returns false if there is
// none.
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
        std::int64_t offset = voxel; // becomes the index of the image
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

// Computes the sums of one element of the filter: [channels of the data, channels of the result].
template <class T, class W>
void sumFilterTap(const TransposedVolume& v, std::int64_t tap, const T* x, const T* grad,
                  const Job& job, std::vector<W>& sums)
{
    std::ranges::fill(sums, W(0));
    const std::int64_t places = v.batch * v.axes[0].output * v.axes[1].output * v.axes[2].output;
    for (std::int64_t place = 0; place < places && !job.cancelled(); ++place) {
        std::int64_t rest = place;
        std::int64_t taps = tap;
        std::int64_t offset = 0;
        std::int64_t step = 1;
        bool isInside = true;
        for (std::size_t i = 3; i-- > 0; rest /= v.axes[i].output, taps /= v.axes[i].kernel) {
            const std::int64_t at = rest % v.axes[i].output * v.axes[i].stride - v.axes[i].before +
                                    taps % v.axes[i].kernel;
            isInside = isInside && at >= 0 && at < v.axes[i].input;
            offset += at * step;
            step *= v.axes[i].input;
        }
        if (!isInside)
            continue;
        const T* from = x + (rest * step + offset) * v.inChannels;
        const T* back = grad + place * v.outChannels;
        for (std::int64_t c = 0; c < v.inChannels; ++c)
            for (std::int64_t k = 0; k < v.outChannels; ++k)
                sums[std::size_t(c * v.outChannels + k)] += wide(from[c]) * wide(back[k]);
    }
}

template <class T>
void fillFilter(const TransposedVolume& v, const T* x, const T* grad, T* y, const Job& job)
{
    const std::int64_t taps = v.axes[0].kernel * v.axes[1].kernel * v.axes[2].kernel;
    const std::int64_t each = v.inChannels * v.outChannels;
    const std::int64_t cost =
        v.batch * v.axes[0].output * v.axes[1].output * v.axes[2].output * each / 2 + 1;
    parallelFor(taps, cost, [&](std::int64_t begin, std::int64_t end) {
        std::vector<decltype(wide(T()))> sums(std::size_t(each), 0);
        for (std::int64_t tap = begin; tap < end; ++tap) {
            sumFilterTap(v, tap, x, grad, job, sums);
            std::ranges::transform(sums, y + tap * each, [](auto sum) { return T(sum); });
        }
    });
}

// The shapes of a convolution. Two of the three are those of inputs, the third is a given size.
struct VolumeDims {
    Dims data;
    Dims filter;
};

Status checkVolumeShapes(const KernelContext& context, const VolumeDims& dims)
{
    const auto& [sizes, filter] = dims;
    const Value& grad = context.input(2);
    if (context.stringAttr("data_format", "NDHWC") != "NDHWC")
        return context.error("computes NDHWC only");
    if (sizes.size() != 5 || filter.size() != 5 || grad.rank() != 5)
        return context.error("the input's size, filter and out_backprop must be 5-dimensional, but "
                             "are " +
                             dimsText(sizes) + ", " + dimsText(filter) + " and " +
                             dimsText(grad.dims()));
    for (const Dims* each : {&sizes, &filter})
        for (const std::int64_t size : *each)
            if (size < 0 || size > std::numeric_limits<std::int32_t>::max())
                return context.error("the sizes " + dimsText(*each) + " are out of range");
    if (sizes[0] != grad.dim(0) || sizes[4] != filter[3] || grad.dim(4) != filter[4])
        return context.error("an input of shape " + dimsText(sizes) + ", a filter of " +
                             dimsText(filter) + " and out_backprop of " + dimsText(grad.dims()) +
                             " do not fit each other");
    return Done{};
}

Result<TransposedVolume> volumeOf(const KernelContext& context, const VolumeDims& dims)
{
    RETURN_IF_ERROR(checkVolumeShapes(context, dims));
    const auto& [sizes, filter] = dims;
    const Value& grad = context.input(2);
    ASSIGN_OR_RETURN(const auto attributes, convAttributes(context, 3));
    TransposedVolume volume{
        .batch = sizes[0], .inChannels = sizes[4], .outChannels = filter[4], .axes = {}};
    for (std::size_t i = 0; i < 3; ++i) {
        WindowAxis& axis = volume.axes[i];
        axis = attributes.axes[i];
        axis.input = sizes[i + 1];
        axis.kernel = filter[i];
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
    ASSIGN_OR_RETURN(const auto volume, volumeOf(context, {sizes, context.input(1).dims()}));
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

Status runFilterWithSizes(KernelContext& context, const Dims& sizes)
{
    const Value& x = context.input(0);
    const Value& grad = context.input(2);
    ASSIGN_OR_RETURN(const auto volume, volumeOf(context, {x.dims(), sizes}));
    ASSIGN_OR_RETURN(auto y, context.makeOutput(0, grad.dtype(), sizes));
    if (y.elements() == 0)
        return Done{};
    const bool known = dispatch(TypeList<float, double, Half>(), grad.dtype(), [&](auto zero) {
        using T = decltype(zero);
        fillFilter(volume, x.as<T>().data(), grad.as<T>().data(), y.template mutableAs<T>().data(),
                   context.job());
    });
    if (context.job().cancelled())
        return cancelledError();
    return known ? Status(Done{}) : context.error("has no kernel for " + dtypeName(grad.dtype()));
}

Status runConv3DBackpropFilter(KernelContext& context)
{
    return runFilterWithSizes(context, context.input(1).dims());
}

Status runConv3DBackpropFilterV2(KernelContext& context)
{
    return runFilterWithSizes(context, context.input(1).integers());
}

} // namespace

LAPIDARY_KERNEL(Conv3DBackpropFilter, runConv3DBackpropFilter);
LAPIDARY_KERNEL(Conv3DBackpropFilterV2, runConv3DBackpropFilterV2,
                .ranks = {Rank::Five, Rank::Vector, Rank::Five});
LAPIDARY_KERNEL(Conv3DBackpropInput, runConv3DBackpropInput);
LAPIDARY_KERNEL(Conv3DBackpropInputV2, runConv3DBackpropInputV2, .ranks = {Rank::Vector});

} // namespace lapidary
