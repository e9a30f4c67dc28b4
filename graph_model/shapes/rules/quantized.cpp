// SPDX-License-Identifier: Apache-2.0
// The legacy 8-bit ops: like their float counterparts, with scalar ranges in addition.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

namespace lapidary {
namespace {

using namespace shape_rules;

// Checks operands [first, end), the minima and maxima of ranges; sets outputs 1 and 2, those of the
// result.
void ranges(RuleContext& context, std::size_t first, std::size_t end)
{
    for (std::size_t i = first; i < end; ++i)
        context.ranked(i, 0);
    context.set(1, Shape{});
    context.set(2, Shape{});
}

void sameWithRange(RuleContext& context)
{
    context.set(0, context.input(0));
    ranges(context, 1, context.inputCount());
}

void dequantize(RuleContext& context)
{
    context.ranked(1, 0);
    context.ranked(2, 0);
    context.set(0, context.input(0));
}

void quantizeAndDequantize(RuleContext& context)
{
    for (std::size_t i = 1; i < context.inputCount(); ++i)
        context.ranked(i, 0);
    context.set(0, context.input(0));
}

void range(RuleContext& context)
{
    ranges(context, 1, 3);
    context.setAll(Shape{});
}

void quantizedBiasAdd(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 2);
    const Shape bias = context.ranked(1, 1);
    if (!input.unknownRank)
        context.set(0, withDim(input, -1, context.merge(bias.dims[0], sizeAt(input, -1))));
    ranges(context, 2, 6);
}

void add(RuleContext& context)
{
    context.set(0, broadcastShape(context, context.input(0), context.input(1)));
    ranges(context, 2, 6);
}

void multiply(RuleContext& context)
{
    context.set(0, broadcastShape(context, context.input(0), context.input(1)));
    ranges(context, 0, 0);
}

void instanceNorm(RuleContext& context)
{
    context.set(0, context.ranked(0, 4));
    ranges(context, 1, 3);
}

void batchNorm(RuleContext& context)
{
    const Shape input = context.ranked(0, 4);
    std::int64_t channels = input.dims[3];
    for (std::size_t i = 3; i < 15; i += 3)
        channels = context.merge(channels, context.ranked(i, 1).dims[0]);
    context.set(0, withDim(input, 3, channels));
    ranges(context, 0, 0);
}

constexpr ShapeRule quantizedTable[] = {
    {"Dequantize", dequantize},
    {"QuantizeAndDequantize", same},
    {"QuantizeAndDequantizeV2", quantizeAndDequantize},
    {"QuantizeAndDequantizeV3", quantizeAndDequantize},
    {"QuantizeDownAndShrinkRange", sameWithRange},
    {"QuantizeV2", sameWithRange},
    {"QuantizedAdd", add},
    {"QuantizedBatchNormWithGlobalNormalization", batchNorm},
    {"QuantizedBiasAdd", quantizedBiasAdd},
    {"QuantizedInstanceNorm", instanceNorm},
    {"QuantizedMul", multiply},
    {"QuantizedRelu", sameWithRange},
    {"QuantizedRelu6", sameWithRange},
    {"QuantizedReluX", sameWithRange},
    {"RequantizationRange", range},
    {"Requantize", sameWithRange},
    {"_Tflite_DEQUANTIZE", same},
    {"_Tflite_QUANTIZE", same},
};

} // namespace

std::span<const ShapeRule> quantizedRules()
{
    return quantizedTable;
}

} // namespace lapidary
