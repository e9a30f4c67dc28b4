// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/goldens/golden_data.h"
#include "transforms/recipe/run_recipe.h"

#include <functional>
#include <string>
#include <vector>

namespace lapidary::goldens {

// Runs a recipe; tests of the harness replace it by a wrong one.
using RecipeRunner = std::function<RecipeRun(const GraphPtr& graph, const Recipe& recipe,
                                             const std::vector<std::string>& inputs,
                                             const std::vector<std::string>& outputs)>;
RecipeRunner ownRunner();

// Runs the recorded transform cases of a folder (goldens/README.md, "A transform case") and tallies
// them.
void runTransformCases(const std::string& folder, const RecipeRunner& run, Tally& tally);

} // namespace lapidary::goldens
