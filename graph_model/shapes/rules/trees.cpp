// SPDX-License-Identifier: Apache-2.0
// Boosted trees and forests: handles, what fills them, and predictions.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rooms.h"

namespace lapidary {
namespace {

using namespace shape_rules;

// Every input is a single value; so is every output.
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

// Features are vectors of one length: the batch.
void predictEnsemble(RuleContext& context)
{
    std::int64_t batch = unknownDim;
    for (std::size_t i = 1; i < context.inputCount(); ++i)
        batch = context.merge(batch, context.ranked(i, 1).dims[0]);
    context.set(0, {{batch, context.attrs().integer("logits_dimension")}, false});
}

void predictTree(RuleContext& context)
{
    const Shape features = context.ranked(1, 2);
    context.set(0, {{features.dims[0], context.attrs().integer("logits_dimension")}, false});
}

constexpr ShapeRule treeTable[] = {
    {"BoostedTreesCreateEnsemble", singles},
    {"BoostedTreesDeserializeEnsemble", singles},
    {"BoostedTreesEnsembleResourceHandleOp", singles},
    {"BoostedTreesGetEnsembleStates", ensembleStates},
    {"BoostedTreesPredict", predictEnsemble},
    {"BoostedTreesSerializeEnsemble", singles},
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
