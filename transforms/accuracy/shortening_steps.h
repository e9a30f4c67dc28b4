// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/recipe/recipe.h"

namespace lapidary {

class Graph;

// Returns the steps that make the file of this graph smaller without changing what it computes:
// they drop attributes with default values, if all nodes of the op agree, and shorten names. In a
// small model names are most of the file.
Recipe shorteningSteps(const Graph& graph);

} // namespace lapidary
