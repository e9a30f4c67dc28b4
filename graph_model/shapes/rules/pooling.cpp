// SPDX-License-Identifier: Apache-2.0
// Pooling over windows, and normalization over neighboring channels.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rooms.h"

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

// Windows in every dimension, the batch excepted.
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

void pool(RuleContext& context)
{
    const Shape input = context.ranked(0, 4);
    context.setAll(
        pooled(context, input, listOf(context, "ksize", 4), listOf(context, "strides", 4)));
}

// Averages over rows and columns alone: a window over channels is refused when it runs.
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
    const Shape input = context.ranked(0, 5);
    context.set(0,
                pooled(context, input, listOf(context, "ksize", 5), listOf(context, "strides", 5)));
}

void maxPoolV2(RuleContext& context)
{
    const Shape input = context.ranked(0, 4);
    for (std::size_t i = 1; i < 3; ++i)
        context.merge(context.ranked(context.rankedAtMost(context.input(i), 1), 1).dims[0], 4);
    const auto sizes = context.allItems(1);
    const auto strides = context.allItems(2);
    if (!sizes || !strides || sizes->size() != 4 || strides->size() != 4)
        return;
    context.set(0, pooled(context, input, *sizes, *strides));
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

// The gradient is of the shape of what was pooled.
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

// What comes back, the data and its result have one shape.
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
    {"LRN", rank4},
    {"LRNGrad", lrnGrad},
    {"MaxPool", pool},
    {"MaxPool3D", pool3d},
    {"MaxPool3DGrad", rank5},
    {"MaxPoolGrad", maxPoolGrad},
    {"MaxPoolGradV2", maxPoolGrad},
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
