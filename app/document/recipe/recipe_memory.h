// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/recipe/recipe_history.h"

#include <nlohmann/json_fwd.hpp>

namespace lapidary {

// Convert a recipe with its branches, undo and redo to JSON and back. Parts that cannot be read are
// left out.
nlohmann::json historyJson(const RecipeHistory& history);
RecipeHistory historyFrom(const nlohmann::json& kept);

} // namespace lapidary
