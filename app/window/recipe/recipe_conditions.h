// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"

namespace lapidary {

class RecipeSession;

// Returns the session of the current tab, also while a compared graph has the focus; null if there
// is no graph to transform.
RecipeSession* session(const ActionContext& context);

// Conditions that several actions of a recipe need.
bool hasRecipe(const ActionContext& context);
bool hasSteps(const ActionContext& context);
bool hasApplied(const ActionContext& context);

// The first thing to do if a condition is not met, for `ActionSpec::needs`.
inline constexpr std::string_view needsOwnGraph = "Wait until the graph of the file is read";
inline constexpr std::string_view needsSteps = "Add a pass to the recipe first (Ctrl+Shift+A)";
inline constexpr std::string_view needsApplied = "Apply a step of the recipe first (F9)";

} // namespace lapidary
