#pragma once

#include "app/document/recipe/recipe_session.h"
#include "views/models/node_facts.h"

namespace lapidary {

// What a node of the graph that `session` shows was made of, and what later steps make of it and
// why; empty where no step was applied. Links lead to nodes of other states.
FactSections lineageFacts(const RecipeSession& session, NodeId node);

} // namespace lapidary
