#pragma once

#include "app/cli/verb_call.h"
#include "transforms/recipe/preview.h"
#include "transforms/recipe/run_recipe.h"

#include <string>

namespace lapidary {

// {"name","summary","parameters":[{"name","type","default","help"}]}, and the same for people.
Json passJson(const Pass& pass);
std::string passText(const Pass& pass);

// Nodes, parameters, bytes and ops after each step, the graph before as step 0's "before".
Json statsJson(const GraphPtr& before, const RecipeRun& run);
std::string statsText(const GraphPtr& before, const RecipeRun& run);

Json previewJson(const RecipePreview& preview);
std::string previewText(const RecipePreview& preview);

} // namespace lapidary
