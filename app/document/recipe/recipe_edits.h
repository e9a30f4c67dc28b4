// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/recipe/recipe_history.h"

namespace lapidary {

// Changed drafts, for RecipeSession::change(). Items out of range are ignored. Applied items stay
// applied unless an item before them is not.
RecipeDraft withItem(RecipeDraft draft, std::size_t at, RecipeItem item);
// Returns the draft with the item applied after everything before it.
RecipeDraft withAppliedItem(RecipeDraft draft, std::size_t at, RecipeItem item);
RecipeDraft withoutItem(RecipeDraft draft, std::size_t at);
RecipeDraft withCopy(RecipeDraft draft, std::size_t at);
RecipeDraft withMoved(RecipeDraft draft, std::size_t from, std::size_t to); // to this index
RecipeDraft withSwitched(RecipeDraft draft, std::size_t at, bool isOn);
RecipeDraft withStep(RecipeDraft draft, std::size_t at, RecipeStep step);
// Steps that are the same as before keep being on or off, and applied.
RecipeDraft withRecipe(const RecipeDraft& draft, const Recipe& recipe);

// How many items are applied after the next one that is on.
std::size_t appliedAfterNext(const RecipeDraft& draft);

} // namespace lapidary
