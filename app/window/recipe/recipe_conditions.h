// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"

namespace lapidary {

class RecipeSession;

// Returns the session of the current tab, also while a graph beside its own has the focus; null if
// there is no graph to transform.
RecipeSession* session(const ActionContext& context);

// Conditions that several actions of a recipe need.
bool hasRecipe(const ActionContext& context);
bool hasSteps(const ActionContext& context);
bool hasApplied(const ActionContext& context);

} // namespace lapidary
