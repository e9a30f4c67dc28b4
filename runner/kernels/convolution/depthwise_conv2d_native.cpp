// DepthwiseConv2dNative: every channel has filters of its own, [h, w, c, multiplier] (spec:
// kernels, A3.3). `dilations` is ignored, as in TensorFlow, whose Python layer rearranges the data
// instead.
#include "runner/kernels/convolution/convolve.h"
#include "runner/kernels/convolution/kernels.h"

namespace lapidary {
namespace {

Status checkShapes(const KernelContext& context)
{
    const Value& x = context.input(0);
    const Value& filter = context.input(1);
    if (x.rank() != 4)
        return context.error("input must be 4-dimensional, but is " + dimsText(x.dims()));
    if (filter.rank() != 4)
        return context.error("filter must be 4-dimensional, but is " + dimsText(filter.dims()));
    if (x.dim(3) != filter.dim(2))
        return context.error("input and filter must have the same depth, but have " +
                             std::to_string(x.dim(3)) + " and " + std::to_string(filter.dim(2)));
    return Done{};
}

Result<std::int64_t> strideOf(const KernelContext& context)
{
    const auto strides = context.attr("strides").ints();
    if (strides.size() != 4 || strides[0] != 1 || strides[3] != 1)
        return context.error("strides must have 4 values, 1 for the batch and the channels");
    if (strides[1] != strides[2])
        return context.error("strides of rows and columns must be equal");
    return strides[1];
}

Status run(KernelContext& context)
{
    if (context.stringAttr("data_format", "NHWC") != "NHWC")
        return context.error("DepthwiseConv2dNative computes NHWC only");
    if (const Status status = checkShapes(context); !status)
        return status;
    const auto stride = strideOf(context);
    if (!stride)
        return stride.error();
    const auto padding = paddingOf(context);
    if (!padding)
        return padding.error();
    const Value& x = context.input(0);
    const Value& filter = context.input(1);
    Conv2dGeometry geometry{.batch = x.dim(0),
                            .inChannels = x.dim(3),
                            .outChannels = 0,
                            .rows = {x.dim(1), filter.dim(0), stride.value()},
                            .columns = {x.dim(2), filter.dim(1), stride.value()},
                            .kind = onednn::ConvKind::Depthwise};
    if (__builtin_mul_overflow(x.dim(3), filter.dim(3), &geometry.outChannels))
        return context.error("the output would have too many channels");
    for (WindowAxis* axis : {&geometry.rows, &geometry.columns})
        if (const Status placed = placeWindow(context, *axis, padding.value()); !placed)
            return placed;
    auto y = convolve(context, geometry, x, filter, context.state<PackedConvolutions>());
    return y ? context.setOutput(0, std::move(y).value()) : y.error();
}

} // namespace

const Kernel kernels::depthwiseConv2dNative{.op = "DepthwiseConv2dNative", .run = run};

} // namespace lapidary
