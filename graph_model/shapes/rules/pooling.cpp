// SPDX-License-Identifier: Apache-2.0
// Pooling over windows, and normalization over neighboring channels.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

#include <cmath>
#include <vector>

namespace lapidary {
namespace {

using namespace shape_rules;

std::vector<std::int64_t> listOf(RuleContext& context, std::string_view name, std::size_t rank)
{
    std::vector<std::int64_t> values = context.attrs().integers(name);
    if (values.size() != rank) {
        context.fail(std::string(name) + " must have " + std::to_string(rank) +
                     " values, but has " + std::to_string(values.size()));
        values.assign(rank, 1);
    }
    return values;
}

// Returns the result of windows in every dimension except the batch.
Shape pooled(RuleContext& context, const Shape& input, const std::vector<std::int64_t>& sizes,
             const std::vector<std::int64_t>& strides)
{
    const std::string_view padding = context.attrs().string("padding");
    Shape output = input;
    for (std::size_t i = 1; i < input.dims.size(); ++i)
        output.dims[i] =
            windowed(context, input.dims[i], {.filter = sizes[i], .stride = strides[i]}, padding);
    return output;
}

// With four channels in each vector, the last dimension, windows slide over the dimensions before
// it.
constexpr std::string_view vectorFormat = "NCHW_VECT_C";

Shape poolOf(RuleContext& context)
{
    const bool isVectors = context.attrs().string("data_format") == vectorFormat;
    const Shape input = context.ranked(0, isVectors ? 5 : 4);
    if (isVectors)
        context.merge(input.dims[4], 4);
    const Shape windows = pooled(context, partOf(input, 0, 4), listOf(context, "ksize", 4),
                                 listOf(context, "strides", 4));
    return isVectors ? joined(windows, {{4}, false}) : windows;
}

void pool(RuleContext& context)
{
    context.setAll(poolOf(context));
}

Shape pool3dOf(RuleContext& context)
{
    const Shape input = context.ranked(0, 5);
    return pooled(context, input, listOf(context, "ksize", 5), listOf(context, "strides", 5));
}

// Averages only over rows and columns: the kernel refuses a window over channels.
void averagePool(RuleContext& context)
{
    const Shape input = context.ranked(0, 4);
    const std::size_t channel = imageAxes(context.attrs().string("data_format", "NHWC"), 4).channel;
    Shape output =
        pooled(context, input, listOf(context, "ksize", 4), listOf(context, "strides", 4));
    output.dims[channel] = input.dims[channel];
    context.set(0, output);
}

void pool3d(RuleContext& context)
{
    context.set(0, pool3dOf(context));
}

// The gradient of a gradient has the shape of the pooled data; the incoming gradient that of the
// input.
void setPooled(RuleContext& context, const Shape& windows, std::size_t gradient, std::size_t result)
{
    context.merge(context.input(0), context.input(gradient));
    context.merge(context.input(result), windows);
    context.set(0, windows);
}

void maxPoolGradGrad(RuleContext& context)
{
    setPooled(context, poolOf(context), 2, 1);
}

void maxPoolGradGradWithArgmax(RuleContext& context)
{
    setPooled(context, poolOf(context), 1, 2);
}

void maxPool3dGradGrad(RuleContext& context)
{
    setPooled(context, pool3dOf(context), 2, 1);
}

// The sizes and strides of the windows are the last two inputs; the result is unknown if they are.
Shape poolByOperands(RuleContext& context)
{
    const Shape input = context.ranked(0, 4);
    const std::size_t first = context.inputCount() - 2;
    for (std::size_t i = first; i < first + 2; ++i)
        context.merge(context.ranked(i, 1).dims[0], 4);
    const auto sizes = context.allItems(first);
    const auto strides = context.allItems(first + 1);
    if (!sizes || !strides || sizes->size() != 4 || strides->size() != 4)
        return unknownShape();
    return pooled(context, input, *sizes, *strides);
}

void maxPoolV2(RuleContext& context)
{
    context.set(0, poolByOperands(context));
}

void maxPoolGradGradV2(RuleContext& context)
{
    setPooled(context, poolByOperands(context), 2, 1);
}

// The first operand is the shape, if its value is known.
void fractionalAveragePoolGrad(RuleContext& context)
{
    context.set(0, context.items(0) != nullptr ? context.shapeFrom(0) : unknownDims(4));
}

void quantizedPool(RuleContext& context)
{
    pool(context);
    context.ranked(1, 0);
    context.ranked(2, 0);
    context.set(1, Shape{});
    context.set(2, Shape{});
}

void rank4(RuleContext& context)
{
    context.setAll(context.ranked(0, 4));
}

// The gradient has the shape of the input of the pool.
void maxPoolGrad(RuleContext& context)
{
    context.set(0, context.ranked(0, 4));
}

void avgPoolGrad(RuleContext& context)
{
    context.set(0, context.ranked(context.shapeFrom(0), 4));
}

void avgPool3dGrad(RuleContext& context)
{
    context.set(0, context.ranked(context.shapeFrom(0), 5));
}

void rank5(RuleContext& context)
{
    context.set(0, context.ranked(0, 5));
}

// Divides each size by its ratio; the other outputs are the sequences of rows and columns that were
// drawn.
void fractionalPool(RuleContext& context)
{
    const Shape input = context.ranked(0, 4);
    const std::vector<float> ratios = context.node().attr("pooling_ratio").floats();
    if (ratios.size() != 4)
        return context.fail("pooling_ratio must have 4 numbers, but has " +
                            std::to_string(ratios.size()));
    Shape output = unknownDims(4);
    for (std::size_t i = 0; i < 4; ++i) {
        const double size = std::floor(double(input.dims[i]) / double(ratios[i]));
        if (input.dims[i] != unknownDim && !(size >= 0))
            return context.fail("pooling_ratio makes a size of dimension " + std::to_string(i) +
                                " that is negative");
        if (input.dims[i] != unknownDim && size < double(std::int64_t(1) << 62))
            output.dims[i] = std::int64_t(size);
    }
    context.setAll(unknownDims(1));
    context.set(0, output);
}

// The gradient, the data and its result have one shape.
void lrnGrad(RuleContext& context)
{
    const Shape shape = context.merge(context.ranked(0, 4), context.ranked(1, 4));
    context.set(0, context.merge(shape, context.ranked(2, 4)));
}

constexpr ShapeRule poolingTable[] = {
    {"AvgPool", averagePool},
    {"AvgPool3D", pool3d},
    {"AvgPool3DGrad", avgPool3dGrad},
    {"AvgPoolGrad", avgPoolGrad},
    {"FractionalAvgPool", fractionalPool},
    {"FractionalAvgPoolGrad", fractionalAveragePoolGrad},
    {"FractionalMaxPool", fractionalPool},
    {"LRN", rank4},
    {"LRNGrad", lrnGrad},
    {"MaxPool", pool},
    {"MaxPool3D", pool3d},
    {"MaxPool3DGrad", rank5},
    {"MaxPool3DGradGrad", maxPool3dGradGrad},
    {"MaxPoolGrad", maxPoolGrad},
    {"MaxPoolGradGrad", maxPoolGradGrad},
    {"MaxPoolGradGradV2", maxPoolGradGradV2},
    {"MaxPoolGradGradWithArgmax", maxPoolGradGradWithArgmax},
    {"MaxPoolGradV2", maxPoolGrad},
    {"MaxPoolGradWithArgmax", maxPoolGrad},
    {"MaxPoolV2", maxPoolV2},
    {"MaxPoolWithArgmax", pool},
    {"QuantizedAvgPool", quantizedPool},
    {"QuantizedMaxPool", quantizedPool},
};

} // namespace

std::span<const ShapeRule> poolingRules()
{
    return poolingTable;
}

} // namespace lapidary
