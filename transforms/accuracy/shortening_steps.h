// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/recipe/recipe.h"

namespace lapidary {

class Graph;

// The steps that make the file of this graph smaller and change nothing that it computes: without
// attributes that say what their op takes anyway, which all nodes of the op agree in, and with
// short names. In a small model names are most of the file.
Recipe shorteningSteps(const Graph& graph);

} // namespace lapidary
