// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/accuracy_base.h"

#include "graph_model/graph/stored_variables.h"
#include "transforms/layers/layer.h"
#include "transforms/recipe/run_recipe.h"

namespace lapidary {
namespace {

constexpr Preset fold{
    "fold", "", "",
    "strip_unused_nodes remove_nodes(op=Identity, op=CheckNumerics) "
    "fold_constants(ignore_errors=true) "
    "fold_batch_norms(through_bias=true) fold_old_batch_norms(through_bias=true)"};

Result<GraphPtr> resultOf(const GraphPtr& graph, const Recipe& recipe, const FittedPreset& fitted,
                          const Job& job)
{
    const RecipeRun run = runRecipe(graph, recipe, fitted.inputs, fitted.outputs, job);
    if (!run.ok())
        return Error{run.faultCode, run.fault};
    return run.result(graph);
}

} // namespace

Result<AccuracyBase> accuracyBase(const GraphEntry& entry, std::vector<std::string> inputs,
                                  std::vector<std::string> outputs, const Job& job)
{
    AccuracyBase base;
    ASSIGN_OR_RETURN(base.fitted,
                     fitPreset(fold, entry, std::move(inputs), std::move(outputs), job));
    ASSIGN_OR_RETURN(base.graph, resultOf(entry.graph, base.fitted.recipe, base.fitted, job));
    if (layersOf(*base.graph).empty())
        return Error{ErrorCode::Unsupported,
                     "no convolution or matrix product has constant weights of its own, so there "
                     "is nothing to quantize" +
                         std::string(hasStoredVariable(*entry.graph)
                                         ? " before the variables are frozen"
                                         : "")};
    return base;
}

Result<GraphPtr> afterSteps(const GraphPtr& graph, std::string_view steps,
                            const FittedPreset& fitted, const Job& job)
{
    ASSIGN_OR_RETURN(const Recipe recipe, parseRecipe(steps, RecipeSyntax::Strict));
    return resultOf(graph, recipe, fitted, job);
}

} // namespace lapidary
