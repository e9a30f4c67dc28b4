// SPDX-License-Identifier: Apache-2.0
// QuantizedConv2D: a convolution of codes minus the codes of 0, with int32 sums (spec: kernels,
// B6).
#include "runner/kernels/convolution/window.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/code_convolution.h"
#include "runner/kernels/quantized/ranges.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::int64_t largestSize = std::numeric_limits<std::int32_t>::max();

Result<std::int64_t> strideOf(const KernelContext& context)
{
    const auto strides = context.attr("strides").ints();
    const auto dilations = context.attr("dilations").ints();
    if (strides.size() != 4)
        return context.error("strides must have 4 values, but has " +
                             std::to_string(strides.size()));
    if (strides[0] != 1 || strides[3] != 1)
        return context.error("strides must be 1 for the batch and the channels");
    if (strides[1] != strides[2])
        return context.error("the strides of rows and columns must be equal, but are " +
                             std::to_string(strides[1]) + " and " + std::to_string(strides[2]));
    if (strides[1] < 1 || strides[1] > largestSize)
        return context.error("the stride must be positive, but is " + std::to_string(strides[1]));
    const auto isOne = [](std::int64_t dilation) { return dilation == 1; };
    if (!dilations.empty() && (dilations.size() != 4 || !std::ranges::all_of(dilations, isOne)))
        return context.error("dilations must be four times 1");
    return strides[1];
}

Result<CodeConvolutionState::Window> windowOf(const KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto stride, strideOf(context));
    ASSIGN_OR_RETURN(const auto padding, paddingOf(context));
    return CodeConvolutionState::Window{stride, padding};
}

// Returns the distance of the window's first row (column) from the image, as TensorFlow computes
// it.
std::int64_t overhang(const WindowAxis& axis, Padding padding)
{
    const std::int64_t all = (axis.output - 1) * axis.stride + axis.kernel - axis.input;
    return padding == Padding::Valid ? (all + 1) / 2 : all / 2;
}

Result<int8::Convolution> geometryOf(const KernelContext& context, CodeConvolutionState& state)
{
    const Dims& x = context.input(0).dims();
    const Dims& filter = context.input(1).dims();
    if (x.size() != 4)
        return context.error("the input must be 4-dimensional, but is " + dimsText(x));
    if (filter.size() != 4)
        return context.error("the filter must be 4-dimensional, but is " + dimsText(filter));
    if (x[3] != filter[2])
        return context.error("input and filter must have the same depth, but have " +
                             std::to_string(x[3]) + " and " + std::to_string(filter[2]));
    if (!state.window) {
        ASSIGN_OR_RETURN(const auto window, windowOf(context));
        state.window = window;
    }
    const auto [stride, padding] = *state.window;
    WindowAxis rows{x[1], filter[0], stride};
    WindowAxis columns{x[2], filter[1], stride};
    for (WindowAxis* axis : {&rows, &columns})
        RETURN_IF_ERROR(placeWindow(context, *axis, padding));
    for (const std::int64_t size :
         {x[0], x[1], x[2], x[3], filter[0], filter[1], filter[3], rows.output, columns.output})
        if (size < 1 || size > largestSize)
            return context.error("needs at least one picture, channel, filter and output pixel: " +
                                 dimsText(x) + " and " + dimsText(filter));
    return int8::Convolution{.batch = x[0],
                             .height = x[1],
                             .width = x[2],
                             .channels = x[3],
                             .filterHeight = filter[0],
                             .filterWidth = filter[1],
                             .filters = filter[3],
                             .stride = stride,
                             .top = overhang(rows, padding),
                             .left = overhang(columns, padding),
                             .outHeight = rows.output,
                             .outWidth = columns.output};
}

Status runQuantizedConv2D(KernelContext& context)
{
    auto& state = context.state<CodeConvolutionState>();
    ASSIGN_OR_RETURN(const auto convolution, codeConvolutionOf(context, state));
    const int8::Convolution& shape = convolution.shape;
    ASSIGN_OR_RETURN(auto out, context.makeOutput(
                                   0, DType::QInt32,
                                   {shape.batch, shape.outHeight, shape.outWidth, shape.filters}));
    const Status summed =
        convolution.run(context, state.packed, out.mutableAs<std::int32_t>().data(), nullptr);
    return summed ? setRange(context, convolution.range) : summed;
}

} // namespace

Result<CodeConvolution> codeConvolutionOf(const KernelContext& context, CodeConvolutionState& state)
{
    ASSIGN_OR_RETURN(auto geometry, geometryOf(context, state));
    ASSIGN_OR_RETURN(const auto x, rangeOf(context, 2));
    ASSIGN_OR_RETURN(const auto filter, rangeOf(context, 4));
    return CodeConvolution{.shape = geometry,
                           .zeros = {std::int32_t(unclampedCode<std::uint8_t>(0, x)),
                                     std::int32_t(unclampedCode<std::uint8_t>(0, filter))},
                           .range = productRange<std::uint8_t, std::uint8_t>(x, filter)};
}

Status CodeConvolution::run(KernelContext& context, PackedFilter& packed, std::int32_t* out,
                            int8::ChannelRanges* ranges, int8::Ending* ending) const
{
    const Value& filter = context.input(1);
    return packed.run(context, shape, {filter, [&] { return filter.as<std::uint8_t>().data(); }},
                      {.zeros = zeros,
                       .input = context.input(0).as<std::uint8_t>().data(),
                       .out = out,
                       .ranges = ranges,
                       .ending = ending});
}

LAPIDARY_KERNEL(QuantizedConv2D, runQuantizedConv2D);

} // namespace lapidary
