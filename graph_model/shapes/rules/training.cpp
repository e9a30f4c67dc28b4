// SPDX-License-Identifier: Apache-2.0
// Losses and optimizers, which occur in graphs that were not cleaned up.
#include "graph_model/ops/op_registry.h"
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"
#include "graph_model/shapes/size_formulas.h"

#include <optional>

namespace lapidary {
namespace {

using namespace shape_rules;

// The inputs have one shape if possible, else they are broadcast to each other.
void softmaxLoss(RuleContext& context)
{
    const Shape& labels = context.input(1);
    const Shape features = context.input(0).unknownRank ? unknownDims(2) : context.input(0);
    const bool areOne = features.dims.size() == 2 && areCompatible(features, labels);
    const Shape shape =
        areOne ? mergedShape(features, labels) : broadcastShape(context, context.input(0), labels);
    if (shape.unknownRank)
        context.fail("Shape must be rank 2, which " + shapeText(context.input(0)) + " and " +
                     shapeText(labels) + " cannot have together");
    const Shape both = context.ranked(shape, 2);
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

// The variables of a training step have one shape, as has a dense gradient; a gradient of rows has
// as many as there are indices. Other inputs are single numbers.
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
            trained = context.merge(trained, shapeBehind(context, i));
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

// Sets the new state of the examples, then the changes of each sparse and each dense weight. The
// last input is the state; before it come the dense weights, and before those the sparse ones.
void dualCoordinateAscent(RuleContext& context)
{
    const std::size_t changed = context.outputCount() - 1;
    if (context.inputCount() <= changed)
        return;
    context.set(0, {{unknownDim, 4}, false});
    for (std::size_t i = 0; i < changed; ++i)
        context.set(1 + i, context.input(context.inputCount() - 1 - changed + i));
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
    {"SdcaOptimizer", dualCoordinateAscent},
    {"SdcaOptimizerV2", dualCoordinateAscent},
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
