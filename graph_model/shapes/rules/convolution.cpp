// SPDX-License-Identifier: Apache-2.0
// Convolutions: windows over the spatial dimensions; the filter determines the channels.
#include "graph_model/graph/dilated_depthwise.h"
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

#include <algorithm>

namespace lapidary {
namespace {

using namespace shape_rules;

// Returns a list attribute with one entry for each dimension; missing dilations are 1.
std::vector<std::int64_t> perDimension(RuleContext& context, std::string_view name,
                                       std::size_t rank)
{
    std::vector<std::int64_t> values = context.attrs().integers(name);
    if (name == "dilations" && !context.node().hasAttr(name))
        values.assign(rank, 1);
    if (values.size() != rank) {
        context.fail(std::string(name) + " attribute must contain " + std::to_string(rank) +
                     " values, but got: " + std::to_string(values.size()));
        values.assign(rank, 1);
    }
    return values;
}

void convolve(RuleContext& context, std::size_t rank, bool usesDilations)
{
    const std::string_view format =
        context.attrs().string("data_format", rank == 5 ? "NDHWC" : "NHWC");
    const Shape input = context.ranked(0, rank);
    const Shape filter = context.ranked(1, rank);
    const ImageAxes axes = imageAxes(format, rank);
    const auto strides = perDimension(context, "strides", rank);
    const auto dilations = perDimension(context, "dilations", rank);
    const std::string_view padding = context.attrs().string("padding");
    const auto explicitPads = context.attrs().integers("explicit_paddings");
    if (padding == "EXPLICIT" && explicitPads.size() != 2 * rank)
        context.fail("explicit_paddings attribute must contain " + std::to_string(2 * rank) +
                     " values, but got: " + std::to_string(explicitPads.size()));
    if (padding != "EXPLICIT" && !explicitPads.empty())
        context.fail("explicit_paddings attribute must be empty if the padding attribute is not "
                     "EXPLICIT");
    const std::int64_t depth = input.dims[axes.channel];
    const std::int64_t filterDepth = filter.dims[rank - 2];
    if (filterDepth == 0)
        context.fail("The filter has 0 input channels");
    else if (depth > 0 && filterDepth > 0 && depth % filterDepth != 0)
        context.fail("Depth of input (" + std::to_string(depth) +
                     ") is not a multiple of input depth of filter (" +
                     std::to_string(filterDepth) + ")");
    Shape output = unknownDims(rank);
    output.dims[0] = input.dims[0];
    output.dims[axes.channel] = filter.dims[rank - 1];
    for (std::size_t i = 0; i < rank - 2 && !context.failed(); ++i) {
        const std::size_t axis = axes.firstSpatial + i;
        Window window{.filter = filter.dims[i], .stride = strides[axis]};
        window.dilation = usesDilations ? dilations[axis] : 1;
        if (padding == "EXPLICIT") {
            window.before = explicitPads[2 * axis];
            window.after = explicitPads[2 * axis + 1];
        }
        output.dims[axis] = windowed(context, input.dims[axis], window, padding);
    }
    context.set(0, output);
}

void conv2d(RuleContext& context)
{
    convolve(context, 4, true);
}

void conv3d(RuleContext& context)
{
    convolve(context, 5, true);
}

void depthwise(RuleContext& context)
{
    const Shape input = context.ranked(0, 4);
    const Shape filter = context.ranked(1, 4);
    const ImageAxes axes = imageAxes(context.attrs().string("data_format", "NHWC"), 4);
    const auto strides = perDimension(context, "strides", 4);
    const auto dilations = countsDilation(context.node()) ? perDimension(context, "dilations", 4)
                                                          : std::vector<std::int64_t>(4, 1);
    const std::string_view padding = context.attrs().string("padding");
    const std::int64_t depth = context.merge(input.dims[axes.channel], filter.dims[2]);
    Shape output = unknownDims(4);
    output.dims[0] = input.dims[0];
    output.dims[axes.channel] = product(context, depth, filter.dims[3]);
    for (std::size_t i = 0; i < 2; ++i) {
        const std::size_t axis = axes.firstSpatial + i;
        const Window window{
            .filter = filter.dims[i], .stride = strides[axis], .dilation = dilations[axis]};
        output.dims[axis] = windowed(context, input.dims[axis], window, padding);
    }
    context.set(0, output);
}

void fromSizes(RuleContext& context, std::size_t operand, std::size_t rank)
{
    context.set(0, context.ranked(context.shapeFrom(operand), rank));
}

void backpropInput(RuleContext& context)
{
    fromSizes(context, 0, 4);
}

void backpropFilter(RuleContext& context)
{
    fromSizes(context, 1, 4);
}

void backpropInput3d(RuleContext& context)
{
    fromSizes(context, 0, 5);
}

bool isNegative(std::int64_t item)
{
    return item < 0 && item != unknownItem;
}

// Handles convolutions with padding, and possibly resizing before it.
void fused(RuleContext& context, bool resizes)
{
    Shape input = context.ranked(0, 4);
    if (resizes) {
        const Shape size = context.ranked(1, 1);
        context.merge(size.dims[0], 2);
        const auto* sizes = context.items(1);
        for (std::size_t i = 0; i < 2; ++i) {
            const bool isKnown = sizes != nullptr && sizes->size() == 2 && (*sizes)[i] >= 0;
            input.dims[i + 1] = isKnown ? (*sizes)[i] : unknownDim;
            if (sizes != nullptr && i < sizes->size() && isNegative((*sizes)[i]) &&
                (*sizes)[i] != unknownDim)
                context.fail("The size to resize to is " + std::to_string((*sizes)[i]));
        }
    }
    const std::size_t at = resizes ? 2 : 1;
    const Shape paddings = context.ranked(at, 2);
    const Shape filter = context.ranked(at + 1, 4);
    if (paddings.dims[0] == unknownDim) // as strict as TensorFlow, which refuses such a graph
        context.fail("The number of paddings is not known; it has to be 4");
    context.merge(paddings.dims[0], 4);
    context.merge(paddings.dims[1], 2);
    const auto* pads = context.items(at);
    for (std::size_t i = 0; i < 4; ++i) {
        std::int64_t both = unknownDim;
        if (pads != nullptr && pads->size() == 8 && (*pads)[2 * i] != unknownItem &&
            (*pads)[2 * i + 1] != unknownItem)
            both = sum(context, (*pads)[2 * i], (*pads)[2 * i + 1]);
        input.dims[i] = sum(context, input.dims[i], both);
    }
    if (pads != nullptr && std::ranges::any_of(*pads, isNegative))
        context.fail("Paddings must be non-negative");
    const auto strides = perDimension(context, "strides", 4);
    const std::string_view padding = context.attrs().string("padding");
    context.merge(input.dims[3], filter.dims[2]);
    Shape output = unknownDims(4);
    output.dims[0] = input.dims[0];
    output.dims[3] = filter.dims[3];
    for (std::size_t i = 1; i < 3; ++i)
        output.dims[i] = windowed(context, input.dims[i],
                                  {.filter = filter.dims[i - 1], .stride = strides[i]}, padding);
    context.set(0, output);
}

void fusedPad(RuleContext& context)
{
    fused(context, false);
}

void fusedResizeAndPad(RuleContext& context)
{
    fused(context, true);
}

// After the data and the filter come the minima and maxima of their ranges; the same holds for the
// result.
void quantizedConv2d(RuleContext& context)
{
    conv2d(context);
    for (std::size_t i = 2; i < 6; ++i)
        context.ranked(i, 0);
    context.set(1, Shape{});
    context.set(2, Shape{});
}

// The range of the result has one value, or one for each channel, like that of the filter.
void quantizedConvByFilter(RuleContext& context)
{
    const std::size_t filterMax = context.inputCount() > 6 ? 6 : 5; // with or without a bias
    conv2d(context);
    const Shape range = context.rankedAtMost(context.input(filterMax), 1);
    context.set(1, range);
    context.set(2, range);
}

// The result is rescaled to a given range.
void requantizedConv2d(RuleContext& context)
{
    conv2d(context);
    context.set(1, Shape{});
    context.set(2, Shape{});
}

void dilation2d(RuleContext& context)
{
    const Shape input = context.ranked(0, 4);
    const Shape filter = context.ranked(1, 3);
    const auto strides = perDimension(context, "strides", 4);
    const auto rates = perDimension(context, "rates", 4);
    const std::string_view padding = context.attrs().string("padding");
    Shape output = unknownDims(4);
    output.dims[0] = input.dims[0];
    output.dims[3] = context.merge(input.dims[3], filter.dims[2]);
    for (std::size_t i = 1; i < 3; ++i)
        output.dims[i] = windowed(
            context, input.dims[i],
            {.filter = filter.dims[i - 1], .stride = strides[i], .dilation = rates[i]}, padding);
    context.set(0, output);
}

// A gradient has the shape of the tensor that it is for, which is given as a tensor or as sizes.
void conv3dInputGrad(RuleContext& context)
{
    context.set(0, context.ranked(0, 5));
}

void conv3dFilterGrad(RuleContext& context)
{
    context.set(0, context.ranked(1, 5));
}

void conv3dFilterGradV2(RuleContext& context)
{
    context.set(0, context.ranked(context.shapeFrom(1), 5));
}

void likeFilter(RuleContext& context)
{
    context.set(0, context.input(1));
}

constexpr ShapeRule convolutionTable[] = {
    {"Conv2D", conv2d},
    {"Conv2DBackpropFilter", backpropFilter},
    {"Conv2DBackpropInput", backpropInput},
    {"Conv3D", conv3d},
    {"Conv3DBackpropFilter", conv3dFilterGrad},
    {"Conv3DBackpropFilterV2", conv3dFilterGradV2},
    {"Conv3DBackpropInput", conv3dInputGrad},
    {"Conv3DBackpropInputV2", backpropInput3d},
    {"DepthwiseConv2dNative", depthwise},
    {"DepthwiseConv2dNativeBackpropFilter", backpropFilter},
    {"DepthwiseConv2dNativeBackpropInput", backpropInput},
    {"Dilation2D", dilation2d},
    {"Dilation2DBackpropFilter", likeFilter},
    {"Dilation2DBackpropInput", same},
    {"FusedPadConv2D", fusedPad},
    {"FusedResizeAndPadConv2D", fusedResizeAndPad},
    {"QuantizedConv2D", quantizedConv2d},
    {"QuantizedConv2DAndRelu", quantizedConvByFilter},
    {"QuantizedConv2DAndReluAndRequantize", requantizedConv2d},
    {"QuantizedConv2DAndRequantize", requantizedConv2d},
    {"QuantizedConv2DPerChannel", quantizedConvByFilter},
    {"QuantizedConv2DWithBias", quantizedConvByFilter},
    {"QuantizedConv2DWithBiasAndRelu", quantizedConvByFilter},
    {"QuantizedConv2DWithBiasAndReluAndRequantize", requantizedConv2d},
    {"QuantizedConv2DWithBiasAndRequantize", requantizedConv2d},
    {"QuantizedConv2DWithBiasSignedSumAndReluAndRequantize", requantizedConv2d},
    {"QuantizedConv2DWithBiasSumAndRelu", quantizedConvByFilter},
    {"QuantizedConv2DWithBiasSumAndReluAndRequantize", requantizedConv2d},
    {"QuantizedDepthwiseConv2D", depthwise},
    {"QuantizedDepthwiseConv2DWithBias", depthwise},
    {"QuantizedDepthwiseConv2DWithBiasAndRelu", depthwise},
    {"QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize", depthwise},
    {"_FusedConv2D", conv2d},
};

} // namespace

std::span<const ShapeRule> convolutionRules()
{
    return convolutionTable;
}

} // namespace lapidary
