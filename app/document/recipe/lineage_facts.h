// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/recipe/recipe_session.h"
#include "views/models/node_facts.h"

#include <vector>

namespace lapidary {

// Returns the origin of a node of the graph that `session` shows, and what later steps do to it and
// why; empty if no step was applied. Links lead to nodes of other states.
FactSections lineageFacts(const RecipeSession& session, NodeId node);

// Returns the nodes of `to` that a node of `from` became or was made of. Empty unless both graphs
// are states of the recipe.
std::vector<NodeId> lineageBetween(const RecipeSession& session, const Graph& from, const Graph& to,
                                   NodeId node);

} // namespace lapidary
