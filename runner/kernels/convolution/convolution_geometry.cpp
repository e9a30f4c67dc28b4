// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/convolution/convolution_geometry.h"

#include <limits>

namespace lapidary {
namespace {

Status checkRanks(const KernelContext& context)
{
    const Value& x = context.input(0);
    const Value& filter = context.input(1);
    if (context.stringAttr("data_format", "NHWC") != "NHWC")
        return context.error("convolutions are computed in NHWC only, but data_format is " +
                             std::string(context.stringAttr("data_format")) +
                             ", which TensorFlow computes on GPUs only; export the model with "
                             "channels last");
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

Status checkBelong(const KernelContext& context, const ConvolvedDims& dims)
{
    for (const Dims* each : {&dims.data, &dims.filter, &dims.result})
        if (each->size() != 4)
            return context.error("data, filter and out_backprop must be 4-dimensional, but are " +
                                 dimsText(dims.data) + ", " + dimsText(dims.filter) + " and " +
                                 dimsText(dims.result));
    for (const Dims* each : {&dims.data, &dims.filter})
        for (const std::int64_t size : *each)
            if (size < 0 || size > std::numeric_limits<std::int32_t>::max())
                return context.error("the sizes " + dimsText(*each) + " are out of range");
    if (dims.data[0] != dims.result[0])
        return context.error("the data has " + std::to_string(dims.data[0]) +
                             " images, but out_backprop has " + std::to_string(dims.result[0]));
    if (dims.data[3] != dims.filter[2])
        return context.error("the data has " + std::to_string(dims.data[3]) +
                             " channels, but the filter takes " + std::to_string(dims.filter[2]) +
                             " (grouped convolutions are not supported)");
    if (dims.result[3] != dims.filter[3])
        return context.error("out_backprop has " + std::to_string(dims.result[3]) +
                             " channels, but the filter makes " + std::to_string(dims.filter[3]));
    return Done{};
}

} // namespace

Result<std::vector<WindowAxis>> gradientWindows(const KernelContext& context,
                                                const ConvolvedDims& dims)
{
    ASSIGN_OR_RETURN(auto attributes, convAttributes(context, 2));
    for (std::size_t i = 0; i < 2; ++i) {
        WindowAxis& axis = attributes.axes[i];
        axis.input = dims.data[i + 1];
        axis.kernel = dims.filter[i];
        if (axis.dilation != 1)
            return context.error("dilations must be 1");
        RETURN_IF_ERROR(placeWindow(context, axis, attributes.padding, attributes.after[i]));
        if (axis.output != dims.result[i + 1])
            return context.error("out_backprop has the size " + std::to_string(dims.result[i + 1]) +
                                 " where the other sizes give " + std::to_string(axis.output));
    }
    return std::move(attributes.axes);
}

Result<Conv2dGeometry> gradientGeometry(const KernelContext& context, const ConvolvedDims& dims)
{
    if (context.stringAttr("data_format", "NHWC") != "NHWC")
        return context.error(std::string(context.node().op()) + " computes NHWC only");
    RETURN_IF_ERROR(checkBelong(context, dims));
    ASSIGN_OR_RETURN(const auto windows, gradientWindows(context, dims));
    return Conv2dGeometry{.batch = dims.data[0],
                          .inChannels = dims.data[3],
                          .outChannels = dims.filter[3],
                          .rows = windows[0],
                          .columns = windows[1]};
}

Result<Conv2dGeometry> conv2dGeometry(const KernelContext& context)
{
    RETURN_IF_ERROR(checkRanks(context));
    ASSIGN_OR_RETURN(auto attributes, convAttributes(context, 2));
    const Value& x = context.input(0);
    const Value& filter = context.input(1);
    for (int i = 0; i < 2; ++i) {
        WindowAxis& axis = attributes.axes[std::size_t(i)];
        axis.input = x.dim(i + 1);
        axis.kernel = filter.dim(i);
        RETURN_IF_ERROR(
            placeWindow(context, axis, attributes.padding, attributes.after[std::size_t(i)]));
    }
    return Conv2dGeometry{.batch = x.dim(0),
                          .inChannels = x.dim(3),
                          .outChannels = filter.dim(3),
                          .rows = attributes.axes[0],
                          .columns = attributes.axes[1]};
}

Result<Conv2dGeometry> depthwiseGeometry(const KernelContext& context)
{
    RETURN_IF_ERROR(checkRanks(context));
    ASSIGN_OR_RETURN(const auto stride, strideOf(context));
    ASSIGN_OR_RETURN(const auto padding, paddingOf(context));
    const Value& x = context.input(0);
    const Value& filter = context.input(1);
    Conv2dGeometry geometry{.batch = x.dim(0),
                            .inChannels = x.dim(3),
                            .outChannels = 0,
                            .rows = {x.dim(1), filter.dim(0), stride},
                            .columns = {x.dim(2), filter.dim(1), stride},
                            .kind = onednn::ConvKind::Depthwise};
    if (__builtin_mul_overflow(x.dim(3), filter.dim(3), &geometry.outChannels))
        return context.error("the output would have too many channels");
    for (WindowAxis* axis : {&geometry.rows, &geometry.columns})
        RETURN_IF_ERROR(placeWindow(context, *axis, padding));
    return geometry;
}

} // namespace lapidary
