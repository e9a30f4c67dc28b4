// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/recipe/run_recipe.h"

#include <vector>

namespace lapidary {

// The effect that one step would have on the graph that the steps before it would leave.
struct StepPreview {
    const Pass* pass = nullptr;
    GraphPtr graph; // the findings have ids of this one
    Findings findings;
    std::size_t changes = 0;
    std::size_t places = 0; // to rewrite; from the findings, if the pass has find()
};
using RecipePreview = std::vector<StepPreview>;

Result<RecipePreview> previewRecipe(const GraphPtr& graph, const Recipe& recipe,
                                    const std::vector<std::string>& inputs,
                                    const std::vector<std::string>& outputs, const Job& job);

} // namespace lapidary
