// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/form_recipe.h"

#include "transforms/pass/pass.h"

namespace lapidary {
namespace {

RecipeStep stepOf(LayerForm form)
{
    // Parsed, so that parameters are written in one place only.
    const auto recipe = parseRecipe(
        "quantize_weights(minimum_size=1, " + formParameters(form) + ")", RecipeSyntax::Strict);
    return recipe ? recipe->front() : RecipeStep();
}

} // namespace

Recipe formSteps(const NamedForms& layers)
{
    Recipe recipe;
    for (const LayerForm form : allLayerForms()) {
        if (form == LayerForm::Float)
            continue;
        RecipeStep step = stepOf(form);
        for (const auto& [name, other] : layers)
            if (other == form)
                step.parameters.add("only_node", name);
        if (step.parameters.count("only_node") > 0)
            recipe.push_back(std::move(step));
    }
    return recipe;
}

Result<GraphPtr> withForms(const GraphPtr& graph, const NamedForms& layers, const Job& job)
{
    GraphPtr result = graph;
    for (const RecipeStep& step : formSteps(layers)) {
        ASSIGN_OR_RETURN(auto edit,
                         findPass(step.pass)->run(result, {{}, {}, step.parameters}, job));
        result = std::move(edit.graph);
    }
    return result;
}

} // namespace lapidary
