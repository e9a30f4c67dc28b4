// SPDX-License-Identifier: Apache-2.0
// Loading and retrieving parameters of the embedding tables of TPUs.
#include "graph_model/shapes/rules/common.h"
#include "graph_model/shapes/rules/rule_families.h"

namespace lapidary {
namespace {

// The table is named by its number or by its name; its parameters are matrices of one size.
void tableParameters(RuleContext& context)
{
    const bool hasId = context.attrs().integer("table_id", -1) >= 0;
    const bool hasName = !context.attrs().string("table_name").empty();
    if (hasId == hasName)
        context.fail("exactly one of table_id and table_name must be given");
    Shape parameters = unknownShape();
    for (std::size_t i = 0; i < context.inputCount(); ++i)
        parameters = context.merge(parameters, context.ranked(i, 2));
    context.setAll(unknownDims(2));
}

constexpr ShapeRule tpuTable[] = {
    {"LoadTPUEmbeddingADAMParameters", tableParameters},
    {"LoadTPUEmbeddingADAMParametersGradAccumDebug", tableParameters},
    {"LoadTPUEmbeddingAdadeltaParameters", tableParameters},
    {"LoadTPUEmbeddingAdadeltaParametersGradAccumDebug", tableParameters},
    {"LoadTPUEmbeddingAdagradParameters", tableParameters},
    {"LoadTPUEmbeddingAdagradParametersGradAccumDebug", tableParameters},
    {"LoadTPUEmbeddingCenteredRMSPropParameters", tableParameters},
    {"LoadTPUEmbeddingFTRLParameters", tableParameters},
    {"LoadTPUEmbeddingFTRLParametersGradAccumDebug", tableParameters},
    {"LoadTPUEmbeddingMDLAdagradLightParameters", tableParameters},
    {"LoadTPUEmbeddingMomentumParameters", tableParameters},
    {"LoadTPUEmbeddingMomentumParametersGradAccumDebug", tableParameters},
    {"LoadTPUEmbeddingProximalAdagradParameters", tableParameters},
    {"LoadTPUEmbeddingProximalAdagradParametersGradAccumDebug", tableParameters},
    {"LoadTPUEmbeddingRMSPropParameters", tableParameters},
    {"LoadTPUEmbeddingRMSPropParametersGradAccumDebug", tableParameters},
    {"LoadTPUEmbeddingStochasticGradientDescentParameters", tableParameters},
    {"RetrieveTPUEmbeddingADAMParameters", tableParameters},
    {"RetrieveTPUEmbeddingADAMParametersGradAccumDebug", tableParameters},
    {"RetrieveTPUEmbeddingAdadeltaParameters", tableParameters},
    {"RetrieveTPUEmbeddingAdadeltaParametersGradAccumDebug", tableParameters},
    {"RetrieveTPUEmbeddingAdagradParameters", tableParameters},
    {"RetrieveTPUEmbeddingAdagradParametersGradAccumDebug", tableParameters},
    {"RetrieveTPUEmbeddingCenteredRMSPropParameters", tableParameters},
    {"RetrieveTPUEmbeddingFTRLParameters", tableParameters},
    {"RetrieveTPUEmbeddingFTRLParametersGradAccumDebug", tableParameters},
    {"RetrieveTPUEmbeddingMDLAdagradLightParameters", tableParameters},
    {"RetrieveTPUEmbeddingMomentumParameters", tableParameters},
    {"RetrieveTPUEmbeddingMomentumParametersGradAccumDebug", tableParameters},
    {"RetrieveTPUEmbeddingProximalAdagradParameters", tableParameters},
    {"RetrieveTPUEmbeddingProximalAdagradParametersGradAccumDebug", tableParameters},
    {"RetrieveTPUEmbeddingRMSPropParameters", tableParameters},
    {"RetrieveTPUEmbeddingRMSPropParametersGradAccumDebug", tableParameters},
    {"RetrieveTPUEmbeddingStochasticGradientDescentParameters", tableParameters},
};

} // namespace

std::span<const ShapeRule> tpuRules()
{
    return tpuTable;
}

} // namespace lapidary
