// SPDX-License-Identifier: Apache-2.0
// Losses and optimizers, as far as graphs that were not cleaned up hold them.
#include "graph_model/ops/op_registry.h"
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rooms.h"
#include "graph_model/shapes/size_formulas.h"

#include <optional>

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

Shape shapeBehind(const HandleFacts* handle)
{
    return handle != nullptr ? handle->shape : unknownShape();
}

// The variables of a step of training have one shape, and so has a dense gradient; one of rows has
// as many as there are indices. What else goes in are single numbers.
void trainStep(RuleContext& context)
{
    const OpSpec* const spec = findOp(context.node().op());
    if (spec == nullptr || spec->inputs.size() != context.inputCount())
        return;
    Shape trained = unknownShape();
    Shape gradient = unknownShape();
    std::optional<Shape> rows;
    for (std::size_t i = 0; i < spec->inputs.size(); ++i) {
        const std::string_view name = spec->inputs[i].name;
        if (spec->inputs[i].isReference)
            trained = context.merge(trained, context.input(i));
        else if (spec->inputs[i].dtype == DType::Resource)
            trained = context.merge(trained, shapeBehind(context.handle(i)));
        else if (name == "grad" || name == "delta")
            gradient = context.input(i);
        else if (name == "indices")
            rows = context.ranked(i, 1);
        else
            context.ranked(i, 0);
    }
    if (rows && !gradient.unknownRank && !gradient.dims.empty()) {
        context.merge(rows->dims[0], gradient.dims[0]);
        gradient.dims[0] = unknownDim;
    }
    trained = context.merge(trained, gradient);
    if (context.outputCount() > 0)
        context.set(0, trained);
}

constexpr ShapeRule trainingTable[] = {
    {"ApplyAdaMax", trainStep},
    {"ApplyAdadelta", trainStep},
    {"ApplyAdagrad", trainStep},
    {"ApplyAdagradDA", trainStep},
    {"ApplyAdagradV2", trainStep},
    {"ApplyAdam", trainStep},
    {"ApplyAddSign", trainStep},
    {"ApplyCenteredRMSProp", trainStep},
    {"ApplyFtrl", trainStep},
    {"ApplyFtrlV2", trainStep},
    {"ApplyGradientDescent", trainStep},
    {"ApplyMomentum", trainStep},
    {"ApplyPowerSign", trainStep},
    {"ApplyProximalAdagrad", trainStep},
    {"ApplyProximalGradientDescent", trainStep},
    {"ApplyRMSProp", trainStep},
    {"HistogramSummary", scalars},
    {"MergeSummary", scalars},
    {"ResourceApplyAdaMax", trainStep},
    {"ResourceApplyAdadelta", trainStep},
    {"ResourceApplyAdagrad", trainStep},
    {"ResourceApplyAdagradDA", trainStep},
    {"ResourceApplyAdagradV2", trainStep},
    {"ResourceApplyAdam", trainStep},
    {"ResourceApplyAdamWithAmsgrad", trainStep},
    {"ResourceApplyAddSign", trainStep},
    {"ResourceApplyCenteredRMSProp", trainStep},
    {"ResourceApplyFtrl", trainStep},
    {"ResourceApplyFtrlV2", trainStep},
    {"ResourceApplyGradientDescent", trainStep},
    {"ResourceApplyKerasMomentum", trainStep},
    {"ResourceApplyMomentum", trainStep},
    {"ResourceApplyPowerSign", trainStep},
    {"ResourceApplyProximalAdagrad", trainStep},
    {"ResourceApplyProximalGradientDescent", trainStep},
    {"ResourceApplyRMSProp", trainStep},
    {"ResourceSparseApplyAdadelta", trainStep},
    {"ResourceSparseApplyAdagrad", trainStep},
    {"ResourceSparseApplyAdagradDA", trainStep},
    {"ResourceSparseApplyAdagradV2", trainStep},
    {"ResourceSparseApplyCenteredRMSProp", trainStep},
    {"ResourceSparseApplyFtrl", trainStep},
    {"ResourceSparseApplyFtrlV2", trainStep},
    {"ResourceSparseApplyKerasMomentum", trainStep},
    {"ResourceSparseApplyMomentum", trainStep},
    {"ResourceSparseApplyProximalAdagrad", trainStep},
    {"ResourceSparseApplyProximalGradientDescent", trainStep},
    {"ResourceSparseApplyRMSProp", trainStep},
    {"ScalarSummary", scalars},
    {"SoftmaxCrossEntropyWithLogits", softmaxLoss},
    {"SparseApplyAdadelta", trainStep},
    {"SparseApplyAdagrad", trainStep},
    {"SparseApplyAdagradDA", trainStep},
    {"SparseApplyAdagradV2", trainStep},
    {"SparseApplyCenteredRMSProp", trainStep},
    {"SparseApplyFtrl", trainStep},
    {"SparseApplyFtrlV2", trainStep},
    {"SparseApplyMomentum", trainStep},
    {"SparseApplyProximalAdagrad", trainStep},
    {"SparseApplyProximalGradientDescent", trainStep},
    {"SparseApplyRMSProp", trainStep},
    {"SparseSoftmaxCrossEntropyWithLogits", sparseSoftmaxLoss},
};

} // namespace

std::span<const ShapeRule> trainingRules()
{
    return trainingTable;
}

} // namespace lapidary
