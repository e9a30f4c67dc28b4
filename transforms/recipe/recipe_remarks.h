// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/recipe/run_recipe.h"

#include <string>
#include <vector>

namespace lapidary {

// What is to be said of a step that changed nothing: "fold_batch_norms found nothing to change; 25
// places fit fold_old_batch_norms", or "; after fold_constants 25 places fit ...". Empty where it
// changed something. `graph` is the step's input.
std::string remarkOnStep(const GraphPtr& graph, const RecipeState& state, const PassArgs& args,
                         const Job& job);

// That the file grew, with "8 bits do not pay here" where they are the reason; empty where it did
// not.
std::string growthRemark(const Graph& before, const Graph& after, const RecipeRun& run);

// What is to be said of a recipe's result beside the result, sentence by sentence: that nothing
// changed, steps that found nothing, a file that grew, weights that could not be packed.
// `isPreset`: steps that find nothing are no news, only that all of them do.
std::vector<std::string> recipeRemarks(const GraphPtr& before, const RecipeRun& run,
                                       const PassArgs& args, bool isPreset, const Job& job);

} // namespace lapidary
