#include "runner/kernels/convolution/convolution_geometry.h"

namespace lapidary {
namespace {

Status checkRanks(const KernelContext& context)
{
    const Value& x = context.input(0);
    const Value& filter = context.input(1);
    if (context.stringAttr("data_format", "NHWC") != "NHWC")
        return context.error("convolutions are computed in NHWC only, but data_format is " +
                             std::string(context.stringAttr("data_format")));
    if (x.rank() != 4)
        return context.error("input must be 4-dimensional, but is " + dimsText(x.dims()));
    if (filter.rank() != 4)
        return context.error("filter must be 4-dimensional, but is " + dimsText(filter.dims()));
    if (x.dtype() != filter.dtype())
        return context.error("input and filter must have one type, but are " +
                             dtypeName(x.dtype()) + " and " + dtypeName(filter.dtype()));
    if (x.dim(3) != filter.dim(2))
        return context.error("the input has " + std::to_string(x.dim(3)) +
                             " channels, but the filter takes " + std::to_string(filter.dim(2)) +
                             " (grouped convolutions are not supported)");
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

} // namespace

Result<Conv2dGeometry> conv2dGeometry(const KernelContext& context)
{
    if (const Status status = checkRanks(context); !status)
        return status.error();
    auto attributes = convAttributes(context, 2);
    if (!attributes)
        return attributes.error();
    const Value& x = context.input(0);
    const Value& filter = context.input(1);
    for (int i = 0; i < 2; ++i) {
        WindowAxis& axis = attributes.value().axes[std::size_t(i)];
        axis.input = x.dim(i + 1);
        axis.kernel = filter.dim(i);
        const Status placed = placeWindow(context, axis, attributes.value().padding,
                                          attributes.value().after[std::size_t(i)]);
        if (!placed)
            return placed.error();
    }
    return Conv2dGeometry{.batch = x.dim(0),
                          .inChannels = x.dim(3),
                          .outChannels = filter.dim(3),
                          .rows = attributes.value().axes[0],
                          .columns = attributes.value().axes[1]};
}

Result<Conv2dGeometry> depthwiseGeometry(const KernelContext& context)
{
    if (const Status status = checkRanks(context); !status)
        return status.error();
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
            return placed.error();
    return geometry;
}

} // namespace lapidary
