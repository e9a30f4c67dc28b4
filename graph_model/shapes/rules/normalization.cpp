// SPDX-License-Identifier: Apache-2.0
// Biases and batch normalization: a vector for each channel.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

namespace lapidary {
namespace {

using namespace shape_rules;

bool isChannelFirst(RuleContext& context)
{
    return context.attrs().string("data_format", "NHWC").substr(0, 2) == "NC";
}

void biasAdd(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), isChannelFirst(context) ? 3 : 2);
    const Shape bias = context.ranked(1, 1);
    const std::int64_t axis = isChannelFirst(context) ? 1 : -1;
    if (input.unknownRank)
        return;
    const std::int64_t channels = context.merge(bias.dims[0], sizeAt(input, axis));
    context.set(0, withDim(input, axis, channels));
}

void biasAddV1(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), 2);
    const Shape bias = context.ranked(1, 1);
    if (!input.unknownRank)
        context.set(0, withDim(input, -1, context.merge(bias.dims[0], sizeAt(input, -1))));
}

void biasAddGrad(RuleContext& context)
{
    const Shape input = context.rankedAtLeast(context.input(0), isChannelFirst(context) ? 3 : 2);
    context.set(0, {{sizeAt(input, isChannelFirst(context) ? -3 : -1)}, false});
}

// Version 3 also supports volumes, in TensorFlow 2.
void fusedBatchNorm(RuleContext& context)
{
    const std::string_view format = context.attrs().string("data_format", "NHWC");
    const bool isVolume = format.size() == 5 && context.node().op() == "FusedBatchNormV3";
    const Shape input = context.ranked(0, isVolume ? 5 : 4);
    const bool trains = context.attrs().flag("is_training", true);
    const std::int64_t axis = isChannelFirst(context) ? 1 : isVolume ? 4 : 3;
    std::int64_t channels = input.dims[std::size_t(axis)];
    for (std::size_t i = 1; i < (trains ? 3 : 5); ++i)
        channels = context.merge(channels, context.ranked(i, 1).dims[0]);
    context.set(0, withDim(input, axis, channels));
    for (std::size_t port = 1; port < 5; ++port)
        context.set(port, {{channels}, false});
}

void fusedBatchNormGrad(RuleContext& context)
{
    const std::int64_t axis = isChannelFirst(context) ? 1 : 3;
    const Shape gradient = context.ranked(0, 4);
    const Shape input = context.merge(gradient, context.ranked(1, 4));
    std::int64_t channels = sizeAt(input, axis);
    for (std::size_t i = 2; i < 5; ++i)
        channels = context.merge(channels, context.ranked(i, 1).dims[0]);
    context.set(0, withDim(input, axis, channels));
    context.set(1, {{channels}, false});
    context.set(2, {{channels}, false});
    // Outside of training the last two outputs have the sizes of a gradient in a training branch.
    const std::int64_t reserved = context.attrs().flag("is_training", true) ? 0 : channels;
    context.set(3, {{reserved}, false});
    context.set(4, {{reserved}, false});
}

void batchNormGlobal(RuleContext& context)
{
    const Shape input = context.ranked(0, 4);
    std::int64_t channels = input.dims[3];
    for (std::size_t i = 1; i < 5; ++i)
        channels = context.merge(channels, context.ranked(i, 1).dims[0]);
    context.set(0, withDim(input, 3, channels));
}

constexpr ShapeRule normalizationTable[] = {
    {"BatchNormWithGlobalNormalization", batchNormGlobal},
    {"BiasAdd", biasAdd},
    {"BiasAddGrad", biasAddGrad},
    {"BiasAddV1", biasAddV1},
    {"FusedBatchNorm", fusedBatchNorm},
    {"FusedBatchNormGrad", fusedBatchNormGrad},
    {"FusedBatchNormGradV2", fusedBatchNormGrad},
    {"FusedBatchNormGradV3", fusedBatchNormGrad},
    {"FusedBatchNormV2", fusedBatchNorm},
    {"FusedBatchNormV3", fusedBatchNorm},
};

} // namespace

std::span<const ShapeRule> normalizationRules()
{
    return normalizationTable;
}

} // namespace lapidary
