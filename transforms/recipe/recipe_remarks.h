// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/recipe/run_recipe.h"

#include <string>
#include <vector>

namespace lapidary {

// Returns the remark on a step that changed nothing: "fold_batch_norms found nothing to change; 25
// places fit fold_old_batch_norms", or "; after fold_constants 25 places fit ...". Empty if it
// changed something. `graph` is the step's input.
std::string remarkOnStep(const GraphPtr& graph, const RecipeState& state, const PassArgs& args,
                         const Job& job);

// Returns a sentence that says that the file grew, with "8 bits do not pay off" if they are the
// reason; empty if it did not.
std::string growthRemark(const Graph& before, const Graph& after, const RecipeRun& run);

// Returns the remarks on a recipe's result, one sentence each: that nothing changed, steps that
// found nothing, a file that grew, weights that could not be packed. `isPreset`: steps that find
// nothing are not mentioned, unless all of them do.
std::vector<std::string> recipeRemarks(const GraphPtr& before, const RecipeRun& run,
                                       const PassArgs& args, bool isPreset, const Job& job);

} // namespace lapidary
