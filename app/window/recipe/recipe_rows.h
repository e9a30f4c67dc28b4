// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/recipe/recipe_session.h"
#include "views/models/recipe/recipe_model.h"
#include "views/models/recipe/timeline_model.h"

#include <vector>

namespace lapidary {

// Returns the rows of the recipe panel and the timeline for a session.
std::vector<RecipeRow> recipeRows(const RecipeSession& session);
std::vector<TimelineEntry> timelineEntries(const RecipeSession& session);
// Returns the index of the entry whose state is shown.
int shownEntry(const RecipeSession& session, const std::vector<TimelineEntry>& entries);
// Returns a summary of what a step did, or would do; empty if nothing is known.
QString stepSummary(const RecipeSession& session, std::size_t item);

// Returns "same numbers", "within 0.013", "not run".
QString verdictText(const Verdict& verdict);
// Returns everything about a verdict, in sentences.
QString verdictHelp(const Verdict& verdict);

} // namespace lapidary
