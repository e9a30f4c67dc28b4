// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/recipe/recipe_history.h"

namespace lapidary {

// Return changed drafts, for RecipeSession::change(). Items out of range are ignored. Applied items
// stay applied unless an item before them is not.
RecipeDraft withItem(RecipeDraft draft, std::size_t at, RecipeItem item);
// Returns the draft with the item applied after everything before it.
RecipeDraft withAppliedItem(RecipeDraft draft, std::size_t at, RecipeItem item);
RecipeDraft withoutItem(RecipeDraft draft, std::size_t at);
RecipeDraft withCopy(RecipeDraft draft, std::size_t at);
// `to` is the index after the move.
RecipeDraft withMoved(RecipeDraft draft, std::size_t from, std::size_t to);
RecipeDraft withSwitched(RecipeDraft draft, std::size_t at, bool isOn);
RecipeDraft withStep(RecipeDraft draft, std::size_t at, RecipeStep step);
// Returns the draft with the steps of `recipe`. Steps that are the same as before stay on or off,
// and applied.
RecipeDraft withRecipe(const RecipeDraft& draft, const Recipe& recipe);

// Returns the number of applied items after the next one that is on is applied too.
std::size_t appliedAfterNext(const RecipeDraft& draft);

} // namespace lapidary
