// SPDX-License-Identifier: Apache-2.0
// Boosted trees and forests: handles, ops that fill them, and predictions.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"

#include <algorithm>
#include <span>

namespace lapidary {
namespace {

using namespace shape_rules;

// Every input and every output is a single value.
void singles(RuleContext& context)
{
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        context.ranked(i, 0);
    scalars(context);
}

void ensembleStates(RuleContext& context)
{
    singles(context);
    context.set(4, {{2}, false});
}

// Returns the batch size. Features are vectors; TensorFlow takes the length of the last one, and
// leaves the others to the kernel.
std::int64_t batchOf(RuleContext& context)
{
    std::int64_t batch = unknownDim;
    for (std::size_t i = 1; i < context.inputCount(); ++i)
        batch = context.ranked(i, 1).dims[0];
    return batch;
}

void predictEnsemble(RuleContext& context)
{
    context.set(0, {{batchOf(context), context.attrs().integer("logits_dimension")}, false});
}

void explainPredictions(RuleContext& context)
{
    context.set(0, {{batchOf(context)}, false});
}

// The outputs are the predictions, and the tree and the node that each example reached.
void predictInTraining(RuleContext& context)
{
    context.merge(context.ranked(1, 1).dims[0], context.ranked(2, 1).dims[0]);
    const std::int64_t batch = batchOf(context);
    context.setAll({{batch}, false});
    context.set(0, {{batch, context.attrs().integer("logits_dimension")}, false});
}

// Checks the inputs of each feature, whose shapes follow from the number of its nodes: [nodes] or
// [nodes, columns].
void checkFeatures(RuleContext& context, std::size_t first, std::int64_t features,
                   std::span<const std::int64_t> columns)
{
    const std::int64_t lists = std::int64_t(columns.size());
    const auto inputs = std::int64_t(context.inputCount());
    if (features < 0 || features > inputs || std::int64_t(first) + features * lists > inputs)
        return;
    const auto operand = [&](std::int64_t list, std::int64_t feature) {
        return first + std::size_t(list * features + feature);
    };
    for (std::int64_t feature = 0; feature < features; ++feature) {
        const std::int64_t nodes = context.ranked(operand(0, feature), 1).dims[0];
        for (std::int64_t list = 1; list < lists; ++list) {
            Shape shape{{nodes}, false};
            if (columns[std::size_t(list)] > 0)
                shape.dims.push_back(columns[std::size_t(list)]);
            context.merge(context.input(operand(list, feature)), shape);
        }
    }
}

std::int64_t featuresOf(RuleContext& context)
{
    const std::int64_t features = context.attrs().integer("num_features");
    context.merge(context.ranked(1, 1).dims[0], features);
    return features;
}

// The inputs of a feature are node ids, gains, thresholds, and the contributions of the left and
// right node.
void growEnsemble(RuleContext& context)
{
    constexpr std::int64_t columns[] = {0, 0, 0, 1, 1};
    checkFeatures(context, 2, featuresOf(context), columns);
}

// As before, but dimensions precede the node ids, and types of splits follow the contributions.
void growEnsembleV2(RuleContext& context)
{
    const std::int64_t features = featuresOf(context);
    const std::int64_t logits = context.attrs().integer("logits_dimension", 1);
    const std::int64_t columns[] = {0, 0, 0, logits, logits, 0};
    if (features < 0 || features > std::int64_t(context.inputCount()))
        return;
    for (std::size_t i = 0; i < std::size_t(features); ++i)
        context.ranked(2 + i, 1);
    checkFeatures(context, 2 + std::size_t(features), features, columns);
}

void centerBias(RuleContext& context)
{
    context.merge(context.ranked(1, 2), context.ranked(2, 2));
    context.set(0, Shape{});
}

void addSummaries(RuleContext& context)
{
    for (std::size_t i = 1; i < context.inputCount(); ++i)
        context.ranked(i, 2);
}

// A summary has values, weights and two ranks of each feature; weights and an epsilon follow the
// features.
void makeSummaries(RuleContext& context)
{
    for (std::size_t i = 0; i < context.outputCount(); ++i)
        context.ranked(i, 1);
    context.setAll({{unknownDim, 4}, false});
}

// Returns the best split of each node in a range from a first to a last id.
void bestSplit(RuleContext& context)
{
    context.merge(context.ranked(0, 1).dims[0], 2);
    context.setAll(unknownDims(1));
}

// Gives gradients and hessians by feature, node and bucket.
void statsSummary(RuleContext& context)
{
    std::int64_t batch = context.ranked(0, 1).dims[0];
    const Shape gradients = context.merge(context.ranked(1, 2), context.ranked(2, 2));
    batch = context.merge(batch, gradients.dims[0]);
    for (std::size_t i = 3; i < context.inputCount(); ++i)
        batch = context.merge(batch, context.ranked(i, 1).dims[0]);
    const RuleAttrs attrs = context.attrs();
    context.set(0, {{attrs.integer("num_features"), attrs.integer("max_splits"),
                     attrs.integer("num_buckets"), 2},
                    false});
}

void predictTree(RuleContext& context)
{
    const Shape features = context.ranked(1, 2);
    context.set(0, {{features.dims[0], context.attrs().integer("logits_dimension")}, false});
}

constexpr ShapeRule treeTable[] = {
    {"BoostedTreesCalculateBestFeatureSplit", bestSplit},
    {"BoostedTreesCenterBias", centerBias},
    {"BoostedTreesCreateEnsemble", singles},
    {"BoostedTreesDeserializeEnsemble", singles},
    {"BoostedTreesEnsembleResourceHandleOp", singles},
    {"BoostedTreesExampleDebugOutputs", explainPredictions},
    {"BoostedTreesGetEnsembleStates", ensembleStates},
    {"BoostedTreesMakeQuantileSummaries", makeSummaries},
    {"BoostedTreesMakeStatsSummary", statsSummary},
    {"BoostedTreesPredict", predictEnsemble},
    {"BoostedTreesQuantileStreamResourceAddSummaries", addSummaries},
    {"BoostedTreesSerializeEnsemble", singles},
    {"BoostedTreesTrainingPredict", predictInTraining},
    {"BoostedTreesUpdateEnsemble", growEnsemble},
    {"BoostedTreesUpdateEnsembleV2", growEnsembleV2},
    {"IsBoostedTreesEnsembleInitialized", singles},
    {"TensorForestCreateTreeVariable", scalars},
    {"TensorForestTreeDeserialize", scalars},
    {"TensorForestTreeIsInitializedOp", scalars},
    {"TensorForestTreePredict", predictTree},
    {"TensorForestTreeResourceHandleOp", scalars},
    {"TensorForestTreeSerialize", scalars},
    {"TensorForestTreeSize", scalars},
};

} // namespace

std::span<const ShapeRule> treeRules()
{
    return treeTable;
}

} // namespace lapidary
