// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/form_recipe.h"

#include "transforms/pass/pass.h"

#include <algorithm>

namespace lapidary {
namespace {

RecipeStep stepOf(LayerForm form)
{
    // Parsed from text, so that the parameters are written in only one function.
    const auto recipe = parseRecipe(
        "quantize_weights(minimum_size=1, " + formParameters(form) + ")", RecipeSyntax::Strict);
    return recipe ? recipe->front() : RecipeStep();
}

} // namespace

// Returns the step that computes these layers in 8 bits, and none of the others.
RecipeStep computingStep(const NamedForms& layers)
{
    RecipeStep step{"quantize_nodes", {}};
    step.parameters.add("accumulators", "float");
    for (const auto& [name, form] : layers)
        if (form != LayerForm::Run8 && form != LayerForm::Float)
            step.parameters.add("ignore_node", name);
    return step;
}

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
    if (std::ranges::find(layers, LayerForm::Run8, &NamedForms::value_type::second) != layers.end())
        recipe.push_back(computingStep(layers));
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
