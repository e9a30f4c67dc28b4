// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/actions/action_table.h"

namespace lapidary {

class RecipeSession;

// Of the current tab, also where a graph beside its own has the focus; null where there is no graph
// to transform.
RecipeSession* session(const ActionContext& context);

// What several actions of a recipe need.
bool hasRecipe(const ActionContext& context);
bool hasSteps(const ActionContext& context);
bool hasApplied(const ActionContext& context);

} // namespace lapidary
