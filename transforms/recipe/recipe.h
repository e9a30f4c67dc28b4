// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "transforms/pass/parameters.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

struct RecipeStep {
    std::string pass;
    Parameters parameters;

    bool operator==(const RecipeStep&) const = default;
};
using Recipe = std::vector<RecipeStep>;

enum class RecipeSyntax {
    Strict,   // names are checked against the pass table; an open parameter list is an error
    Original, // what transform_graph accepts (spec: transforms, section 4.1)
};

// Errors name line and column, what was expected there, and the most similar name for an unknown
// one.
Result<Recipe> parseRecipe(std::string_view text, RecipeSyntax syntax);
// Returns a text that parses to the same recipe.
std::string printRecipe(const Recipe& recipe);

} // namespace lapidary
