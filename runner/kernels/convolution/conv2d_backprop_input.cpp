// SPDX-License-Identifier: Apache-2.0
// Conv2DBackpropInput: the transposed convolution, that is the gradient of Conv2D for an input of
// size `input_sizes` (spec: kernels, A3.4). No dilation, no groups, NHWC only.
#include "runner/kernels/convolution/convolve.h"
#include "runner/kernels/kernel.h"

#include <limits>

namespace lapidary {
namespace {

Status checkShapes(const KernelContext& context, const Dims& sizes)
{
    const Value& filter = context.input(1);
    const Value& grad = context.input(2);
    if (!context.input(0).isVector() || sizes.size() != 4)
        return context.error("input_sizes must have 4 values, but is " +
                             dimsText(context.input(0).dims()));
    if (filter.rank() != 4 || grad.rank() != 4)
        return context.error("filter and out_backprop must be 4-dimensional, but are " +
                             dimsText(filter.dims()) + " and " + dimsText(grad.dims()));
    for (const std::int64_t size : sizes)
        if (size < 0 || size > std::numeric_limits<std::int32_t>::max())
            return context.error("input_sizes has the size " + std::to_string(size));
    if (sizes[0] != grad.dim(0))
        return context.error("input_sizes and out_backprop must have the same batch size");
    if (sizes[3] != filter.dim(2))
        return context.error("input_sizes asks for " + std::to_string(sizes[3]) +
                             " channels, but the filter makes " + std::to_string(filter.dim(2)));
    if (grad.dim(3) != filter.dim(3))
        return context.error("out_backprop has " + std::to_string(grad.dim(3)) +
                             " channels, but the filter takes " + std::to_string(filter.dim(3)));
    return Done{};
}

Status runConv2DBackpropInput(KernelContext& context)
{
    if (context.stringAttr("data_format", "NHWC") != "NHWC")
        return context.error("Conv2DBackpropInput computes NHWC only");
    const Dims sizes = context.input(0).integers();
    RETURN_IF_ERROR(checkShapes(context, sizes));
    ASSIGN_OR_RETURN(auto attributes, convAttributes(context, 2));
    const Value& filter = context.input(1);
    const Value& grad = context.input(2);
    for (int i = 0; i < 2; ++i) {
        WindowAxis& axis = attributes.axes[std::size_t(i)];
        axis.input = sizes[std::size_t(i) + 1];
        axis.kernel = filter.dim(i);
        if (axis.dilation != 1)
            return context.error("dilations must be 1");
        const Status placed =
            placeWindow(context, axis, attributes.padding, attributes.after[std::size_t(i)]);
        if (!placed)
            return placed;
        if (axis.output != grad.dim(i + 1))
            return context.error("out_backprop has the size " + std::to_string(grad.dim(i + 1)) +
                                 " where input_sizes gives " + std::to_string(axis.output));
    }
    const Conv2dGeometry geometry{.batch = sizes[0],
                                  .inChannels = sizes[3],
                                  .outChannels = filter.dim(3),
                                  .rows = attributes.axes[0],
                                  .columns = attributes.axes[1],
                                  .kind = onednn::ConvKind::Transposed};
    auto y = convolve(context, geometry, grad, filter, context.state<PackedConvolutions>());
    return y ? context.setOutput(0, std::move(y).value()) : y.error();
}

} // namespace

LAPIDARY_KERNEL(Conv2DBackpropInput, runConv2DBackpropInput);

} // namespace lapidary
