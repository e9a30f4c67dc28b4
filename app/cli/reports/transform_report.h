// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb_call.h"
#include "transforms/recipe/preview.h"
#include "transforms/recipe/recipe_sizes.h"

#include <string>

namespace lapidary {

// Returns {"name","summary","parameters":[{"name","type","default","help"}]} and the pass's
// reference.
Json passJson(const Pass& pass);

// Return the nodes, parameters, bytes and ops after each step (the graph before the first one is
// "before" of step 0), and the bytes by op before and after.
Json statsJson(const GraphPtr& before, const RecipeRun& run, const RecipeSizes& sizes);
std::string statsText(const GraphPtr& before, const RecipeRun& run, const RecipeSizes& sizes);

Json previewJson(const RecipePreview& preview);
std::string previewText(const RecipePreview& preview);

} // namespace lapidary
