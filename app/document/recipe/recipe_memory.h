// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/recipe/recipe_history.h"

#include <nlohmann/json_fwd.hpp>

namespace lapidary {

// A recipe with its branches and what undo and redo can bring back, for files. Reading leaves out
// what cannot be read.
nlohmann::json historyJson(const RecipeHistory& history);
RecipeHistory historyFrom(const nlohmann::json& kept);

} // namespace lapidary
