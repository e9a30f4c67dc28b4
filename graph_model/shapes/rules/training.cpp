// SPDX-License-Identifier: Apache-2.0
// Losses and optimizers, as far as graphs that were not cleaned up hold them.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rooms.h"
#include "graph_model/shapes/size_formulas.h"

namespace lapidary {
namespace {

using namespace shape_rules;

void softmaxLoss(RuleContext& context)
{
    const auto matrix = [&](std::size_t i) {
        return context.input(i).unknownRank ? unknownDims(2) : context.input(i);
    };
    const Shape both = context.ranked(broadcastShape(context, matrix(0), matrix(1)), 2);
    context.set(0, {{both.dims[0]}, false});
    context.set(1, both);
}

void sparseSoftmaxLoss(RuleContext& context)
{
    const Shape features = context.ranked(0, 2);
    const Shape labels = context.ranked(1, 1);
    const std::int64_t batch = context.merge(features.dims[0], labels.dims[0]);
    context.set(0, {{batch}, false});
    context.set(1, {{batch, features.dims[1]}, false});
}

constexpr ShapeRule trainingTable[] = {
    {"ApplyAdagrad", same},
    {"ApplyAdam", same},
    {"ApplyFtrl", same},
    {"ApplyGradientDescent", same},
    {"ApplyMomentum", same},
    {"ApplyRMSProp", same},
    {"HistogramSummary", scalars},
    {"MergeSummary", scalars},
    {"ResourceApplyAdam", nothing},
    {"ResourceApplyGradientDescent", nothing},
    {"ResourceApplyKerasMomentum", nothing},
    {"ResourceApplyMomentum", nothing},
    {"ScalarSummary", scalars},
    {"SoftmaxCrossEntropyWithLogits", softmaxLoss},
    {"SparseSoftmaxCrossEntropyWithLogits", sparseSoftmaxLoss},
};

} // namespace

std::span<const ShapeRule> trainingRules()
{
    return trainingTable;
}

} // namespace lapidary
